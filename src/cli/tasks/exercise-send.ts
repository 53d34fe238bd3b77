import type { ControlReply } from "../../client/control-client.ts";
import type { ExerciseAnswer, ExerciseCall, SendExercise } from "../../coverage/exercise-run.ts";
import { callPlatform, jsonOfAnswer, type Platform } from "./platform-client.ts";

const CONTROL_PREFIX = "/_sim";

/** Body of a call and its media type. */
const bodyOf = async ({ body, file, text }: ExerciseCall) => {
  if (!file) {
    const json = text ?? (body === undefined ? undefined : JSON.stringify(body));
    return json === undefined ? undefined : { bytes: Buffer.from(json), type: "application/json" };
  }
  const form = new FormData();
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, string>))
    form.append(name, value);
  form.append(file.member, new Blob([file.text]), file.fileName);
  const response = new Response(form);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { bytes, type: response.headers.get("content-type") ?? "" };
};

const controlAnswer = (
  { client }: Platform,
  { method, path, body }: ExerciseCall,
): Promise<ControlReply> => {
  const place = path.slice(CONTROL_PREFIX.length);
  const sent = (body ?? {}) as object;
  if (method === "GET") return client.get(place);
  if (method === "PUT") return client.put(place, sent);
  if (method === "PATCH") return client.patch(place, sent);
  return client.post(place, sent);
};

/** Sends the calls of an exercise to a running simulator. */
export const exerciseSender =
  (platform: Platform): SendExercise =>
  async (call): Promise<ExerciseAnswer> => {
    const { method, path, headers } = call;
    if (path.startsWith(`${CONTROL_PREFIX}/`)) return controlAnswer(platform, call);
    const sent = await bodyOf(call);
    const answer = await callPlatform(platform, {
      method,
      path,
      headers: { ...(sent && { "content-type": sent.type }), ...headers },
      body: sent?.bytes,
    });
    return { status: answer.status, body: jsonOfAnswer(answer) };
  };
