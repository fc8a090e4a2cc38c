/** The columns that the sheets of these tests use. */
export const HEADER =
  "graph_name,node_name,next_node,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt,context";

/** A sheet of these rows. */
export const sheetOf = (...rows: readonly string[]): string => [HEADER, ...rows, ""].join("\n");

export const HELLO: string = sheetOf(
  "Hello,Ask,Greet,input,,,,name,What is your name?,",
  "Hello,Greet,,echo,,,name,greeting,Hello {name},",
);

/** Two branches, one of which waits for a person; then both meet. */
export const ORDER: string = sheetOf(
  "Order,Take,Check|Approve,echo,,,item,order,{item},",
  "Order,Check,Ship,echo,,,item,checked,checked {item},",
  'Order,Approve,Ship,human,,Refuse,item,verdict,May we ship {item}?,"{""interaction"": ""approval""}"',
  "Order,Ship,,echo,,,order|checked,shipped,shipped {order},",
  "Order,Refuse,,echo,,,item,refused,refused {item},",
);
