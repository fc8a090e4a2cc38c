export const DESK = `graph_name,node_name,agent_type,context,input_fields,output_field,prompt,next_node,next_on_success,next_on_failure
Refund,Check,human,"{""interaction"": ""approval"", ""description"": ""Decides a refund""}",customer|amount:number,verdict,"Refund {amount} to {customer}?",,Pay,Refuse
Refund,Pay,echo,,amount,answer,Paid {amount},END,,
Refund,Refuse,echo,,,answer,Refused,END,,
Hello Ändern,Greet,echo,,name,greeting,Hello {name},,,
hello-andern,Greet,echo,,name,greeting,Hi {name},,,
Survey,Ask,input,,,count:number|sure:boolean,How many?,Say,,
Survey,Say,echo,,count,said,You said {count},END,,
Secret,Note,echo,"{""mcp"": false}",,note,hidden,,,
`;
export const WRITER = `graph_name,node_name,agent_type,context,input_fields,output_field,prompt
Store,Write,json_writer,"{""collection"": ""notes.json"", ""mode"": ""append""}",note,receipt,
`;
export const BROKEN = `graph_name,node_name,agent_type,next_node
Broken,One,echo,Nowhere
`;
