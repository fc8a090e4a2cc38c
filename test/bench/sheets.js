// Sheets of any size, for the benchmarks.

const HEADER =
  "graph_name,node_name,next_node,context,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt\n";

/** Rows in graphs of twenty nodes each, as a large company's folder would hold, or of another size. */
export function manyGraphs(rows, size = 20) {
  const lines = [];
  for (let i = 0; i < rows; i++) {
    const at = i % size;
    const next = at === size - 1 || i === rows - 1 ? "" : `Step ${at + 1}`;
    const reads = at === 0 ? "customer" : `customer|answer_${at - 1}`;
    lines.push(
      `Graph ${Math.floor(i / size)},Step ${at},${next},Does its part,echo,,,${reads},answer_${at},"Hello {customer}, this is step ${at}"`,
    );
  }
  return `${HEADER}${lines.join("\n")}\n`;
}

/** One graph that is a chain; every node reads what the one before wrote, and one handler catches every failure. */
export function chain(rows) {
  const lines = [];
  for (let i = 0; i < rows - 1; i++) {
    const next = i === rows - 2 ? "" : `N${i + 1}`;
    const reads = i === 0 ? "start" : `f${i - 1}`;
    lines.push(`Chain,N${i},${next},,echo,,Oops,${reads},f${i},Step ${i}: {${reads}}`);
  }
  lines.push("Chain,Oops,,,echo,,,error,message,It failed: {error}");
  return `${HEADER}${lines.join("\n")}\n`;
}

/** One graph with one wide split. */
export function wideSplit(branches) {
  const names = Array.from({ length: branches }, (_, i) => `B${i}`);
  const lines = [`Wide,Start,${names.join("|")},,echo,,,start,seed,{start}`];
  names.forEach((name, i) => {
    lines.push(`Wide,${name},Join,,echo,,Oops,seed,part${i},Part ${i} of {seed}`);
  });
  lines.push(
    "Wide,Join,,,echo,,,seed,all,All of {seed}",
    "Wide,Oops,,,echo,,,error,message,It failed: {error}",
  );
  return `${HEADER}${lines.join("\n")}\n`;
}

/** One graph of diamonds one after the other, each with one handler for all. */
export function diamonds(rows) {
  const lines = [];
  const count = Math.floor((rows - 2) / 3);
  for (let i = 0; i < count; i++) {
    const reads = i === 0 ? "start" : `a${i - 1}|b${i - 1}`;
    lines.push(
      `Diamonds,S${i},A${i}|B${i},,echo,,Oops,${reads},s${i},`,
      `Diamonds,A${i},S${i + 1},,echo,,Oops,s${i},a${i},`,
      `Diamonds,B${i},S${i + 1},,echo,,Oops,s${i},b${i},`,
    );
  }
  lines.push(
    `Diamonds,S${count},,,echo,,,a${count - 1}|b${count - 1},end,`,
    "Diamonds,Oops,,,echo,,,error,message,It failed: {error}",
  );
  return `${HEADER}${lines.join("\n")}\n`;
}

/** One loop around a chain of diamonds. */
export function loopedDiamonds(rows) {
  const lines = diamonds(rows).trimEnd().split("\n");
  const last = lines.length - 2;
  lines[last] = lines[last]
    .replace(/^(Diamonds,S\d+),,,echo,/, "$1,,,branching,Done,S0,")
    .replace("Done,S0,,,", "Done,S0,");
  lines.push("Diamonds,Done,,,success,,,,done,Done");
  return `${lines.join("\n")}\n`;
}

/** Splits in each other: each splits into one node and the next split, and all meet one after the other. */
export function nestedSplits(depth) {
  const lines = [];
  for (let i = 0; i < depth; i++) {
    const inner = i === depth - 1 ? "Inmost" : `S${i + 1}`;
    lines.push(
      `Nested,S${i},A${i}|${inner},,echo,,Oops,seed,s${i},{seed}`,
      `Nested,A${i},J${i},,echo,,Oops,s${i},a${i},{s${i}}`,
      `Nested,J${i},${i === 0 ? "" : `J${i - 1}`},,echo,,,a${i},j${i},{a${i}}`,
    );
  }
  lines.push(
    `Nested,Inmost,J${depth - 1},,echo,,Oops,seed,inmost,{seed}`,
    "Nested,Oops,,,echo,,,error,message,It failed: {error}",
  );
  return `${HEADER}${lines.join("\n")}\n`;
}

/** Splits in each other, all of which meet at one node. */
export function nestedSplitsOfOneMeeting(depth) {
  const lines = [];
  for (let i = 0; i < depth; i++) {
    const inner = i === depth - 1 ? "Inmost" : `S${i + 1}`;
    lines.push(
      `Nested,S${i},A${i}|${inner},,echo,,,seed,s${i},{seed}`,
      `Nested,A${i},Meet,,echo,,,s${i},a${i},{s${i}}`,
    );
  }
  lines.push("Nested,Inmost,Meet,,echo,,,seed,inmost,{seed}", "Nested,Meet,,,echo,,,inmost,end,{inmost}");
  return `${HEADER}${lines.join("\n")}\n`;
}

/** A graph that runs another, a chain of so many nodes, for each item of a list. */
export function itemsSheet(nodes) {
  const lines = [
    'All,Each,After,"{""graph"": ""One"", ""over"": ""items"", ""as"": ""item"", ""concurrency"": 4}",graph,,,items,result=results,',
    "All,After,,,echo,,,,after,done",
  ];
  for (let i = 0; i < nodes; i++) {
    const last = i === nodes - 1;
    const reads = i === 0 ? "name=item.name" : `name=f${i - 1}`;
    lines.push(
      `One,N${i},${last ? "" : `N${i + 1}`},,echo,,,${reads},${last ? "result" : `f${i}`},Step ${i}: {name}`,
    );
  }
  return `${HEADER}${lines.join("\n")}\n`;
}

/** One graph as a person might write it: steps with questions, branches and people between them. */
export function largeGraph(nodes, name = "Large") {
  const at = (i) => (i < nodes ? `Step ${i}` : "END");
  const lines = Array.from({ length: nodes }, (_, i) => {
    const kind = i % 10;
    if (kind === 4) return `${name},Step ${i},,,branching,${at(i + 1)},${at(i + 3)},customer,,`;
    if (kind === 7)
      return `${name},Step ${i},,,human,${at(i + 1)},${at(i + 2)},customer,,May {customer} go on?`;
    return `${name},Step ${i},${at(i + 1)},,echo,,,customer,answer_${i},"Hello {customer}, this is step ${i}"`;
  });
  return `${HEADER}${lines.join("\n")}\n`;
}

/** Rows in graphs of fifty nodes, behind a large one. */
export function largeSheet(rows, first) {
  return `${largeGraph(first)}${manyGraphs(rows - first, 50).slice(HEADER.length)}`;
}
