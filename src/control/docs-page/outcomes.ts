import { showDuration } from "../../domain/core/durations.ts";
import { outcomeGroups } from "../core/outcome-groups.ts";
import { type Html, html } from "./html.ts";

type Group = ReturnType<typeof outcomeGroups>[number];
type OutcomeStep = Group["rows"][number]["timeline"][number];

const whenText = ({ atMs }: OutcomeStep) =>
  atMs === 0 ? "at once" : `after ${showDuration(atMs)}`;

/** The consequences as a line of steps, each with its simulated time. */
const timeline = (steps: readonly OutcomeStep[]): Html =>
  html`<ol class="timeline">${steps.map(
    (step) =>
      html`<li><b>${step.then}</b> <span>${whenText(step)}</span>${
        (step.failureReason ?? step.refundReason) &&
        html` <small>${step.failureReason ?? step.refundReason}</small>`
      }</li>`,
  )}</ol>`;

const groupTable = ({ title, reads, rows }: Group): Html =>
  html`<h3>${title.charAt(0) + title.slice(1).toLowerCase()}</h3><p>By ${reads}.</p>
    <table><thead><tr><th scope="col">value</th><th scope="col">means</th>
    <th scope="col">what happens</th></tr></thead><tbody>${rows.map(
      ({ match, says, timeline: steps }) =>
        html`<tr><td><code>${match === "otherwise" ? "any other" : match}</code></td>
          <td>${says}</td><td>${timeline(steps)}</td></tr>`,
    )}</tbody></table>`;

/** Every magic value and what it does, as tables with their timelines. */
export const outcomesSection = (): Html =>
  html`<section id="outcomes"><h2>Magic values</h2>${outcomeGroups().map(groupTable)}</section>`;
