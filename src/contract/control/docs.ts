import * as z from "zod";
import { named } from "../core/named-shape.ts";

/** A page of the documents, or its part that a search found. */
const DocTopic = named("DocTopic", () =>
  z.object({
    /** Its path below the documents: `spec/quotes`. */
    topic: z.string(),
    title: z.string(),
    /** The first section that has the words of a search. */
    heading: z.string().optional(),
    /** The anchor of that section. */
    anchor: z.string().optional(),
  }),
);

export type DocTopic = z.infer<typeof DocTopic>;

/** Reply of GET /_sim/docs. */
export const DocTopics = named("DocTopicList", () => z.object({ data: z.array(DocTopic) }));

export type DocTopics = z.infer<typeof DocTopics>;
