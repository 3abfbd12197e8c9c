import t from 'tap'
import { typeName } from '../../src/plan/types/schema.ts'
import { columnsOfOdv, openOdv } from './read.ts'

/** A file of lines. */
function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`
}

/** The names and types of the columns of a file. */
function typesOf(text: string): Readonly<Record<string, string>> {
  const { fields } = openOdv(text).file.schema
  return Object.fromEntries(fields.map(({ name, type }) => [name, typeName(type)]))
}

const TEXT = 'Dictionary(Int32, Utf8)'

t.test('attributes may be in any order, missing, and in any case of tags, with entities', async (t) => {
  const text = lines(
    '//<DataVariable>comment="1 &lt; 2 &amp; &quot;x&quot; &#176;&#xB5;" qf_scheme="IODE" value_type="double" label="A [m]" sensor="s"</DataVariable>',
    '// <datavariable label="B" />',
    '//<DataVariable>value_type="FLOAT"</DataVariable>',
    '//<DataVariable>label="C" value_type="UNSIGNED_SHORT" comment=""</DataVariable>',
    '//<DataVariable>label="D" value_type="TEXT:21"</DataVariable>',
    '//<DataVariable>label="E" value_type="BLOB"</DataVariable>',
    '//<DataVariable>label="F" value_type="FLOAT"</DataVariable>',
    '//<DataVariable>label="not there" value_type="FLOAT"</DataVariable>',
    'Cruise\tA [m]\tQV:X\tB [dbar]\tC\tD\tE\tF',
    'c\t1\t0\t2\t3\t4\t5\t6',
  )
  t.same(typesOf(text), {
    Cruise: 'Utf8',
    A: 'Float64',
    A_qc: 'Utf8',
    B: 'Float64',
    C: 'Int64',
    D: 'Utf8',
    E: 'Utf8',
    F: 'Float32',
    'A.units': TEXT,
    'A.qf_schema': TEXT,
    'A.comment': TEXT,
    'B.units': TEXT,
  })
  const columns = columnsOfOdv(text)
  t.same(
    [columns['A.units'], columns['A.qf_schema'], columns['A.comment'], columns['B.units']],
    [
      [TEXT, 'm'],
      [TEXT, 'IODE'],
      [TEXT, '1 < 2 & "x" °µ'],
      [TEXT, 'dbar'],
    ],
  )
  t.same(openOdv(text).file.schema.fields[1]?.metadata, { units: 'm', comment: '1 < 2 & "x" °µ' })
})

t.test('labels are compared as a whole and without units; flags name their column', async (t) => {
  const text = lines(
    '//<DataVariable>label="T [ITS-90] [degC]" value_type="FLOAT"</DataVariable>',
    '//<DataVariable>label="a:b [m]" value_type="INTEGER"</DataVariable>',
    '//<DataVariable>label="S" value_type="DOUBLE"</DataVariable>',
    'Station\tT [ITS-90] [degC]\tQV:A\ta:b [m]\tQV:x:y:a:b [m]\tS [psu]\tQF\tQV:ODV:T [ITS-90] [m]\tqv\tS\tQV:A:p:q',
    's\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10',
  )
  t.same(typesOf(text), {
    Station: 'Utf8',
    'T [ITS-90]': 'Float32',
    'T [ITS-90]_qc': 'Utf8',
    'a:b': 'Int64',
    'a:b_qc': 'Utf8',
    S: 'Float64',
    S_qc: 'Utf8',
    'T [ITS-90]_qc_1': 'Utf8',
    S_qc_1: 'Utf8',
    S_1: 'Float64',
    'p:q_qc': 'Utf8',
    'T [ITS-90].units': TEXT,
    'a:b.units': TEXT,
    'S.units': TEXT,
  })
})

t.test('without declarations numbers are Float64, and standard labels have their types', async (t) => {
  const titles =
    'CRUISE\tstation\tType\tYYYY-MM-DDThh:mm:ss.sss\tLongitude [degrees_east]\tLOCAL_CDI_ID\tEDMO_code\tDepth [m]\tQV:SEADATANET\tName\tNone\tSeen'
  const text = lines(
    '//SDN_parameter_mapping',
    titles,
    '007\t1\tB\t1999-12-31\t5\t0012\t486\t10\t1\tx\t\t2001-01-01',
    '\t\t\t\t\t\t\t20.5\t1\t7\t\t2001-01-01T12:00:00.5',
  )
  t.same(Object.values(typesOf(text)).slice(0, 12), [
    ...['Utf8', 'Utf8', 'Utf8', 'Timestamp(ms)', 'Float64', 'Utf8', 'Int64'],
    ...['Float64', 'Utf8', 'Utf8', 'Null', 'Timestamp(ms)'],
  ])
  const columns = columnsOfOdv(text)
  t.same(columns['LOCAL_CDI_ID'], ['Utf8', '0012', '0012'])
  t.same(columns['EDMO_code'], ['Int64', 486n, 486n])
  t.same(columns['YYYY-MM-DDThh:mm:ss.sss'], ['Timestamp(ms)', 946598400000n, 946598400000n])
  const long = `${text}${'\t\t\t\t\t\t\t20.5\t1\t7\n'.repeat(10_000)}\t\t\t\t\t\t\t1\t1\t7\t3.5\n`
  t.equal(typesOf(long)['None'], 'Float64', 'what is empty in the sample alone may be numbers')
})

t.test('times are read as they are', async (t) => {
  const column = (declared: string, ...cells: readonly string[]) => {
    const { file } = openOdv(
      lines(
        `//<DataVariable>label="t" value_type="${declared}"</DataVariable>`,
        'Cruise\tt',
        ...cells.map((each) => `c\t${each}`),
      ),
    )
    return typeName(file.schema.fields[1]?.type ?? { kind: 'null' })
  }
  t.equal(column('DOUBLE', '', '2001-01-01T00:00:00.000'), 'Timestamp(ms)', 'as our answers declare them')
  t.equal(column('DOUBLE', '1.5', '2001-01-01T00:00:00.000'), 'Float64')
  t.equal(column('INDEXED_TEXT', '2001-01-01T00:00:00.000'), 'Utf8')
  const iso = (cell: string) => openOdv(`Cruise\ttime_iso8601\nc\t${cell}\n`).file
  t.equal(typeName(iso('2001-01-01').schema.fields[1]?.type ?? { kind: 'null' }), 'Timestamp(ms)')
  t.equal(
    typeName(iso('2001-01-01T00:00:00.123456').schema.fields[1]?.type ?? { kind: 'null' }),
    'Timestamp(us)',
  )
  const partial = iso('2001-05')
  t.equal(typeName(partial.schema.fields[1]?.type ?? { kind: 'null' }), 'Utf8')
  t.match(partial.notices, [/"time_iso8601" has other text than times/])
})

t.test('text is in the encoding of the header, or cell by cell in one that fits', async (t) => {
  const file = (encoding: string): Buffer =>
    Buffer.concat([
      Buffer.from(encoding === '' ? '' : `//<Encoding>${encoding}</Encoding>\n`),
      Buffer.from(
        '//<DataVariable>label="T [\xb0C]" value_type="FLOAT" comment="\x80"</DataVariable>\n',
        'latin1',
      ),
      Buffer.from('Cruise\tT [\xb0C]\tNote\n\xe9\x80\t1\t', 'latin1'),
      Buffer.from('é€\n'),
    ])
  const read = (encoding: string) => {
    const {
      Cruise,
      Note,
      T,
      'T.units': units,
      'T.comment': comment,
    } = columnsOfOdv(file(encoding)) as Record<string, unknown[]>
    return [Cruise?.[1], Note?.[1], T?.[0], units?.[1], comment?.[1]]
  }
  t.same(read(''), ['é€', 'é€', 'Float32', '°C', '€'])
  t.same(read('windows-1252'), ['é€', 'Ã©â‚¬', 'Float32', '°C', '€'])
  t.same(read('ISO-8859-1'), ['é\u0080', 'Ã©â\u0082¬', 'Float32', '°C', '\u0080'])
  const { file: other } = openOdv(file('KOI8-R'))
  t.match(other.notices, [/encoding "KOI8-R" is not read/])
})
