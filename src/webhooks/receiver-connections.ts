import { Agent, type AgentOptions, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** Bounds of the connections that stay open between attempts (spec/webhooks.md#connections). */
export const CONNECTION_BOUNDS = { idleMs: 100, attempts: 32 } as const;

const KEPT: AgentOptions = { keepAlive: true, timeout: CONNECTION_BOUNDS.idleMs };
const ONCE: AgentOptions = { keepAlive: false };

/** Attempts that came over a connection whose receiver keeps it open. */
const attemptsOver = new WeakMap<object, number>();

/**
 * Notes that a receiver announced to keep a connection open. Many close it without a word after an
 * answer, and one that serves a single connection at a time would let the others wait.
 */
export const noteAnswer = ({ headers, socket }: IncomingMessage) => {
  if (/\bkeep-alive\b/i.test(headers.connection ?? ""))
    attemptsOver.set(socket, (attemptsOver.get(socket) ?? 0) + 1);
  else attemptsOver.delete(socket);
};

const mayStayOpen = (socket: object) => {
  const attempts = attemptsOver.get(socket);
  return attempts !== undefined && attempts < CONNECTION_BOUNDS.attempts;
};

const keepSocketAlive = function (this: Agent, socket: Duplex) {
  return mayStayOpen(socket) && Agent.prototype.keepSocketAlive.call(this, socket);
};

/** Loaded by the first attempt that needs it: with what it loads it takes a hundredth of a start. */
export const httpsModule = () => process.getBuiltinModule("node:https");

/** The kind of connection that a receiver gets: with TLS or without, kept for a moment or not. */
export interface Reached {
  isSecure: boolean;
  mayKeep: boolean;
}

const agentOf = ({ isSecure, mayKeep }: Reached): Agent => {
  const options = mayKeep ? KEPT : ONCE;
  const agent = isSecure ? new (httpsModule().Agent)(options) : new Agent(options);
  return mayKeep ? Object.assign(agent, { keepSocketAlive }) : agent;
};

/** Connections to the receivers that one set of rules for targets lets through. */
export class ReceiverConnections {
  private readonly agents = new Map<string, Agent>();

  agentFor(reached: Reached): Agent {
    const name = `${reached.isSecure} ${reached.mayKeep}`;
    const agent = this.agents.get(name) ?? agentOf(reached);
    this.agents.set(name, agent);
    return agent;
  }
}
