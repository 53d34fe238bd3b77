import { json } from "./platform-call.ts";
import { createQuoteBody } from "./quote-body.ts";
import type { SimulatorProcess } from "./simulator-process.ts";

/** One request, sent over and over. */
export interface Load {
  method: "GET" | "POST";
  url: string;
  authorization: string;
  body?: object;
}

/** The load of a figure, and the simulator's answer to it. */
export interface Task {
  load: Load;
  answer: { status: number; text: string };
}

/** Creates quotes between the accounts of one customer. */
export const postQuotes = async (simulator: SimulatorProcess): Promise<Task> => {
  const { apiUrl, authorization, call } = simulator;
  const body = await createQuoteBody(call);
  const answer = await call("POST", "/quotes", body);
  return { load: { method: "POST", url: `${apiUrl}/quotes`, authorization, body }, answer };
};

/** Reads one quote. */
export const getQuote = async (simulator: SimulatorProcess): Promise<Task> => {
  const { apiUrl, authorization, call } = simulator;
  const body = await createQuoteBody(call);
  const { id } = await json<{ id: string }>(call("POST", "/quotes", body));
  const answer = await call("GET", `/quotes/${id}`);
  return { load: { method: "GET", url: `${apiUrl}/quotes/${id}`, authorization }, answer };
};
