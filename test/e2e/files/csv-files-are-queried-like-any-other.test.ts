import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startTestService } from '../service.ts'

const RECORDS = 200_000

function record(i: number): string {
  const note = i % 1000 === 7 ? `"several\nlines, ${i}"` : `note ${i % 13}`
  return `${i},2024-01-01T00:00:${String(i % 60).padStart(2, '0')},${i / 8},${note}\n`
}

t.test('of several blocks, over any number of workers', async (t) => {
  const text = `id,time,value,note\n${Array.from({ length: RECORDS }, (_, i) => record(i)).join('')}`
  const answers: string[] = []
  for (const workers of [1, 2]) {
    const service = await startTestService(t, { workers })
    writeFileSync(join(service.datasets, 'a.csv'), text)
    const all = { select: ['id', 'time', 'value', 'note'], from: { csv: { paths: ['a.csv'] } } }
    const whole = await (await service.query({ ...all, output: { format: 'csv' } })).text()
    t.equal(whole.split('\n')[0], 'id,time,value,note')
    const rows = await service.rows(all)
    t.equal(rows.numRows, RECORDS)
    t.equal(rows.schema.fields.map(({ type }) => String(type)).join(), 'Int64,Timestamp<SECOND>,Float64,Utf8')
    const cut = await service.rows({ ...all, offset: 150_000, limit: 3 })
    t.same(
      [...(cut.getChild('id') ?? [])].map(String),
      ['150000', '150001', '150002'],
      'offset and limit count records',
    )
    const filtered = await service.rows({ ...all, filters: [{ column: 'value', gt_eq: 24_999 }] })
    t.equal(filtered.numRows, 8)
    answers.push(whole)
  }
  t.ok(answers[0] === answers[1], 'the same bytes')
  t.ok(answers[0]?.includes('\n7,2024-01-01T00:00:07,0.875,"several\nlines, 7"\n'))
})

t.test('several files are one table, columns by name', async (t) => {
  const service = await startTestService(t)
  writeFileSync(join(service.datasets, '1.csv'), 'a,b,empty\n1,x,\n')
  writeFileSync(join(service.datasets, '2.csv'), 'b,a,empty\ny,2.5,\n')
  writeFileSync(join(service.datasets, '3.csv'), '')
  const from = { csv: { paths: ['*.csv'] } }
  const rows = await service.rows({ select: ['a', 'b', 'empty'], from })
  t.same(
    rows.toArray().map((row) => ({ ...row })),
    [
      { a: 1, b: 'x', empty: null },
      { a: 2.5, b: 'y', empty: null },
    ],
  )
  const schema = await fetch(`${service.url}/api/dataset-schema?file=*.csv`)
  const { fields } = (await schema.json()) as { fields: { name: string; data_type: unknown }[] }
  t.same(
    fields.map(({ name, data_type }) => [name, data_type]),
    [
      ['a', 'Float64'],
      ['b', 'Utf8'],
      ['empty', 'Utf8'],
    ],
  )
})

t.test('a delimiter may be named, also by its escape', async (t) => {
  const service = await startTestService(t)
  writeFileSync(join(service.datasets, 'a.tsv'), 'a\tb\n1\t2,5\n')
  for (const delimiter of ['\t', '\\t']) {
    const rows = await service.rows({ select: ['b'], from: { csv: { paths: ['a.tsv'], delimiter } } })
    t.equal(rows.getChild('b')?.get(0), '2,5')
  }
  for (const [delimiter, message] of [
    ['', 'CSV delimiter must not be empty'],
    [';;', 'CSV delimiter must be a single character or an escape (\\t, \\n, \\r, \\0, \\\\), got ";;"'],
    ['é', 'CSV delimiter must be a single-byte (ASCII) character, got "é"'],
    ['"', 'CSV delimiter must not be the quote'],
  ] as const) {
    const answer = await service.query({ select: ['b'], from: { csv: { paths: ['a.tsv'], delimiter } } })
    t.equal(answer.status, 400)
    t.ok((await answer.text()).includes(JSON.stringify(message).slice(1, -1)), delimiter)
  }
})

t.test('a record that does not fit names file, line, column and value', async (t) => {
  const service = await startTestService(t, { textHoldMs: 60_000 })
  const lines = Array.from({ length: 130_000 }, (_, i) => `${i},"a\nb"\n`)
  writeFileSync(join(service.datasets, 'a.csv'), `id,text\n${lines.join('')}n/a,x\n`)
  const answer = await service.query({
    select: ['id'],
    from: { csv: { paths: ['a.csv'] } },
    output: { format: 'csv' },
  })
  t.equal(answer.status, 400)
  const text = await answer.text()
  for (const part of ['a.csv', 'line 260002', 'id', 'n/a', 'Int64'])
    t.ok(text.includes(part), `${part}: ${text}`)
})
