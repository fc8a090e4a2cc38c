# Writes openpyxl.xlsx and xlsxwriter.xlsx. Install first: pip install openpyxl==3.1.5 xlsxwriter==3.2.9
import datetime, sys
from openpyxl import Workbook

out = sys.argv[1] if len(sys.argv) > 1 else "."
book = Workbook()
flow = book.active
flow.title = "Flow"
flow.append(["graph_name", "node_name", "agent_type", "input_fields", "output_field", "prompt"])
flow.append(["Grüße", "Begrüße", "echo", "name", "gruß", 'Hallo {name}, "schön"!\nBis bald 😀'])
odd = book.create_sheet("Odd")
odd.append(["date", "moment", "half", "zeros", "yes", "sum", "large", "text", "spaces"])
odd.append([datetime.date(2026, 11, 22), datetime.datetime(2026, 11, 22, 12), 0.5, 7, True, 3, 1234567890123456, "0042", "  a  "])
for column, form in zip("ABCD", ["yyyy-mm-dd", "yyyy-mm-dd hh:mm", "0%", "000"]):
    odd[column + "2"].number_format = form
# A formula: openpyxl writes it without a value.
odd["J1"], odd["J2"] = "valueless", "=1+2"
book.save(out + "/openpyxl.xlsx")

# One with much besides cells: a note, rules, choices, a picture, a chart, a table, a link, a hidden worksheet.
import xlsxwriter

book = xlsxwriter.Workbook(out + "/xlsxwriter.xlsx")
flow = book.add_worksheet("Flow")
bold = book.add_format({"bold": 1, "bg_color": "#ddeeff", "border": 1})
for column, name in enumerate(["graph_name", "node_name", "agent_type", "next_node", "input_fields", "output_field", "prompt"]):
    flow.write(0, column, name, bold)
flow.write_row(1, 0, ["Approval", "Start", "echo", "Anwser", "amount:number", "note", "Got {amount}"])
flow.write_row(2, 0, ["Approval", "Answer", "echo", None, "note", "answer", "Answer: {note}"])
flow.write_rich_string(5, 8, "some ", book.add_format({"bold": 1}), "bold", " text")
flow.write_comment("A2", "Ask Ada", {"author": "Eve"})
flow.data_validation("C2:C50", {"validate": "list", "source": ["echo", "human"]})
flow.conditional_format("F2:F9", {"type": "cell", "criteria": ">", "value": 3, "format": book.add_format({"bg_color": "#ffc7ce"})})
flow.conditional_format("H2:H9", {"type": "data_bar"})
flow.insert_image("J2", "red.png")  # any small picture
flow.set_column("G:G", 60)
flow.freeze_panes(1, 0)
flow.autofilter("A1:G3")
flow.set_header("&CPage &P")
flow.write_url("J10", "https://example.com/")
data = book.add_worksheet("Data")
for i in range(10):
    data.write_row(i, 0, [i, i * i])
data.add_table("D1:E5", {"columns": [{"header": "k"}, {"header": "v"}]})
chart = book.add_chart({"type": "line"})
chart.add_series({"values": "=Data!$B$1:$B$10"})
data.insert_chart("G2", chart)
data.add_sparkline("M1", {"range": "Data!A1:A10"})
data.write_dynamic_array_formula("O1:O3", "=SORT(A1:A3)")
hidden = book.add_worksheet("Secret")
hidden.hide()
book.define_name("Rate", "=Data!$A$2")
book.close()
