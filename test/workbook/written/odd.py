import sys
# Writes odd-*.xlsx: pip install openpyxl==3.1.5 xlsxwriter==3.2.9. Of odd-xlsxwriter.xlsx LibreOffice 7.4 makes the two of its own:
# soffice --headless --convert-to ods (or xlsx) odd-xlsxwriter.xlsx
import datetime, xlsxwriter
from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
D=datetime; out=sys.argv[1] if len(sys.argv)>1 else "."
b=xlsxwriter.Workbook(out+'/odd-xlsxwriter.xlsx'); s=b.add_worksheet('Odd'); F=lambda f: b.add_format({'num_format':f})
rows=[('a date',D.datetime(2026,11,22),'yyyy-mm-dd'),('a date and a time',D.datetime(2026,11,22,12,30),'yyyy-mm-dd hh:mm'),('a time',0.75,'hh:mm'),('a duration',1.5,'[h]:mm'),
('50 %',0.5,'0%'),('zeros in front',7,'000'),('a currency',1234.5,'#,##0.00 [$€-407]'),('a very large number',1e21,None),('a very small number',1.5e-7,None),('16 digits',1234567890123456,None),
('text of digits','0042',None),('a date as text','22.11.2026',None),('blanks','  a  ',None),('line breaks','a\nb',None),('signs of XML','<a & "b">',None),('what looks escaped','_x000D_',None)]
r=0
for n,v,f in rows:
    s.write_string(r,0,n)
    if isinstance(v,str): s.write_string(r,1,v)
    elif isinstance(v,D.datetime): s.write_datetime(r,1,v,F(f))
    else: s.write_number(r,1,v,F(f) if f else None)
    r+=1
def w(n):
    global r
    s.write_string(r,0,n); r+=1; return r-1
s.write_boolean(w('TRUE'),1,True); s.write_boolean(w('FALSE'),1,False)
i=w('rich text'); s.write_rich_string(i,1,'bold ',b.add_format({'bold':1}),'and',' plain')
s.write_formula(w('a formula'),1,'=1+2',None,3); s.write_formula(w('an error'),1,'=NA()',None,'#N/A')
s.write_formula(w('a text formula'),1,'="a"&"b"',None,'ab')
i=w('a hidden row'); s.write(i,1,'seen'); s.set_row(i,None,None,{'hidden':True})
i=w('merged'); s.merge_range(i,1,i,2,'both')
s.write(0,4,'a hidden column'); s.set_column('E:E',None,None,{'hidden':True})
h=b.add_worksheet('Hidden'); h.hide(); h.write(0,0,'x'); b.close()
b=xlsxwriter.Workbook(out+'/odd-1904.xlsx',{'date_1904':True}); s=b.add_worksheet('Odd'); s.write_datetime(0,0,D.datetime(2026,11,22),b.add_format({'num_format':'yyyy-mm-dd'})); b.close()
b=Workbook(); s=b.active; s.title='Odd'
for n,v,f in rows:
    s.append([n,v]); c=s.cell(s.max_row,2)
    if isinstance(v,str): c.data_type='s'
    if f: c.number_format=f
s.append(['TRUE',True]); s.append(['FALSE',False])
s.append(['rich text',CellRichText('bold ',TextBlock(InlineFont(b=True),'and'),' plain')])
s.append(['a formula','=1+2']); s.append(['an error','#N/A']); s.append(['a text formula','="a"&"b"'])
s.append(['a hidden row','seen']); s.row_dimensions[s.max_row].hidden=True
s.append(['merged','both']); s.merge_cells(start_row=s.max_row,start_column=2,end_row=s.max_row,end_column=3)
s['E1']='a hidden column'; s.column_dimensions['E'].hidden=True
h=b.create_sheet('Hidden'); h['A1']='x'; h.sheet_state='hidden'
b.save(out+'/odd-openpyxl.xlsx')
