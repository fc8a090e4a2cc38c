// What an editor shows where a line below points: hovers.txt holds the answers.
import { support } from "../../generated/support.gen.js";
import { rating } from "../cases/emit/custom-agents/rating.gen.js";
import { fan } from "../cases/emit/merges/fan.gen.js";
import { delivery } from "../cases/emit/paths-and-options/delivery.gen.js";

export async function hovers(): Promise<void> {
  const result = await support.run({ customer: "Ada" });
  //    ^?                     ^?
  if (result.status === "completed") {
    const { reply, draft, is_refund } = result.state;
    //      ^?     ^?     ^?
    result.path.at(-1);
    //     ^?
    [reply, draft, is_refund];
  }
  const rated = await rating.run({ url: "x" }, { nodes: { Tell: ({ points, why }) => `${points} ${why}` } });
  //                                                      ^?       ^?      ^?
  if (rated.status === "completed") [rated.state.points, rated.state.page, rated.state.told];
  //                                             ^?                  ^?                ^?
  const lists = await fan.run({ topic: "tea" });
  if (lists.status === "completed") [lists.state.parts, lists.state.count];
  //                                             ^?                 ^?
  await delivery.run({ order: {}, extra: {}, speed: "fast" });
  //                                         ^?
}
