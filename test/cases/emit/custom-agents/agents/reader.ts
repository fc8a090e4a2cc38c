import { Agent, fail, type Outcome } from "flowsheet/agents";

export interface Page {
  readonly title: string;
  readonly words: number;
}

export default class Reader extends Agent<{ url: URL | string }, { readonly page: Page }> {
  override async process({ url }: { url: URL | string }): Promise<Awaited<Outcome<{ readonly page: Page }>>> {
    return String(url) === "" ? fail("no address") : { page: { title: String(url), words: 7 } };
  }
}
