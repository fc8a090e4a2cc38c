# Writes openpyxl.xlsx. Install it first: pip install openpyxl==3.1.5
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
