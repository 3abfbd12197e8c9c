import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import t, { type Test } from 'tap'
import { createFormats } from '../../src/plan/format/create-formats.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { startTestService, type TestService } from '../e2e/service.ts'
import { post } from '../http/test-server.ts'
import { LINES } from './toy-lines/row.ts'
import { RASTER } from './toy-raster/row.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PAGE = readFileSync(join(ROOT, 'docs/guides/adding-a-format.md'), 'utf8')

/** The code blocks of the page that name a file: the text of a new file, or lines to add to one. */
const BLOCKS = [...PAGE.matchAll(/^```(ts|diff) (\S+)\n(.*?)^```$/gms)].map(
  ([, kind = '', path = '', text = '']) => ({ kind, path, text }),
)

/** The files of the toy formats, by those that the page shows. */
const TOYS: Readonly<Record<string, string>> = {
  'src/plan/format/raster.ts': 'test/formats/toy-raster/row.ts',
  'src/workers/formats/raster/raster.ts': 'test/formats/toy-raster/raster.ts',
  'src/plan/format/lines.ts': 'test/formats/toy-lines/row.ts',
  'src/workers/formats/lines/lines.ts': 'test/formats/toy-lines/lines.ts',
  'test/lines/lines-conform.test.ts': 'test/formats/toy-lines/lines-conform.test.ts',
}

t.test('what the page shows are the toy formats of the tests', async (t) => {
  const shown = BLOCKS.filter(({ kind }) => kind === 'ts')
  t.same(
    shown.map(({ path }) => path),
    Object.keys(TOYS),
  )
  for (const { path, text } of shown) {
    const toy = TOYS[path] ?? ''
    t.same(withPaths(text, path), withPaths(readFileSync(join(ROOT, toy), 'utf8'), toy), path)
  }
})

// A folder of its own: `testdir` of the test below is the data folder of its service.
const copy = t.testdir({})

t.test('a copy of the source to which the page was done reads both everywhere', async (t) => {
  cpSync(join(ROOT, 'src'), join(copy, 'src'), {
    recursive: true,
    filter: (path) => !path.endsWith('/target'),
  })
  cpSync(join(ROOT, 'package.json'), join(copy, 'package.json'))
  for (const { kind, path, text } of BLOCKS) {
    const file = join(copy, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, kind === 'ts' ? text : changed(readFileSync(file, 'utf8'), text))
  }
  const { startService } = await import(join(copy, 'src/main/service.ts'))
  const service = await startTestService(t, { start: startService })
  await isReadEverywhere(t, service)
  await areArraysRead(t, service)
})

t.test('handed in at the start both are read everywhere, too', async (t) => {
  const formats = createFormats([...FORMATS.rows, LINES, RASTER])
  const worker = new URL('./toy-lines/worker.ts', import.meta.url)
  const service = await startTestService(t, { formats, worker })
  await isReadEverywhere(t, service)
  await areArraysRead(t, service)
})

/**
 * The lines of a file, its imports sorted and with paths from the root. The files of the toys are named as on the page. Imports of several
 * lines are joined.
 */
function withPaths(written: string, file: string): string[] {
  const text = written.replaceAll(/^import[^']*'/gm, (words) =>
    words.replaceAll(/\s+/g, ' ').replace(', }', ' }'),
  )
  const lines = text.split('\n').map((line) =>
    line.replace(/from '(\.[^']*)'/, (_, path: string) => {
      const target = join(dirname(file), path)
      const [shown = target] = Object.entries(TOYS).find(([, toy]) => target === toy) ?? []
      return `from '${shown}'`
    }),
  )
  const isImport = (line: string): boolean => line.startsWith('import ')
  return [...lines.filter(isImport).toSorted(), ...lines.filter((line) => !isImport(line))]
}

/** The text with the lines that a diff adds. Its context lines must occur in the text exactly once. */
function changed(text: string, diff: string): string {
  const lines = diff.split('\n').slice(0, -1)
  const before = lines.flatMap((line) => (line.startsWith('+') ? [] : [line.slice(1)])).join('\n')
  const parts = `\n${text}`.split(`\n${before}\n`)
  if (parts.length !== 2) throw new Error(`${parts.length - 1} times in the file: ${before}`)
  return parts.join(`\n${lines.map((line) => line.slice(1)).join('\n')}\n`).slice(1)
}

async function isReadEverywhere(t: Test, { url, datasets, query, rows }: TestService): Promise<void> {
  mkdirSync(join(datasets, 'notes'))
  writeFileSync(join(datasets, 'notes/a.lines'), '#lines 3 8\none\ntw\n\n')
  writeFileSync(join(datasets, 'notes/b.lines'), '#lines 1 4\nfor\n')
  const from = { lines: { paths: ['notes/*.lines'] } }
  const text = async (path: string): Promise<string> => (await fetch(`${url}${path}`)).text()
  const failure = async (body: object): Promise<string> => {
    const answer = await query(body)
    t.equal(answer.status, 400)
    return String(await answer.json())
  }

  const inCore = await rows({ select: ['number', 'text'], from })
  t.same([...(inCore.getChild('text') ?? [])], ['one', 'tw', '', 'for'], 'in JSON')
  const skipped = await rows({ select: ['text'], from: { lines: { ...from.lines, skip: 2 } } })
  t.same([...(skipped.getChild('text') ?? [])], [''], 'with its option')
  t.match(
    await failure({ select: ['text'], from: { lines: { ...from.lines, skip: -1 } } }),
    /^from.lines.skip: skip must be/,
  )
  t.match(await failure({ select: ['text'], from: { line: from.lines } }), /"line" is no format.*lines/)

  const simple = "SELECT text FROM read_lines('notes/*.lines', skip := 1) WHERE number > 1"
  const joined = `SELECT a.text || b.text AS text FROM read_lines('notes/a.lines') a JOIN read_lines('notes/b.lines') b USING (number)`
  for (const [sql, engine, values] of [
    [simple, 'core', ['tw', '']],
    [joined, 'duckdb', ['onefor']],
  ] as const) {
    t.same([...((await rows({ sql })).getChild('text') ?? [])], values, engine)
    const plan = await post(`${url}/api/explain-query`, { sql })
    const printed = await plan.text()
    t.match(printed, engine === 'core' ? /"Format": "lines"/ : /"Engine": "DuckDB"/, `EXPLAIN on ${engine}`)
    const explained = tableFromIPC(
      new Uint8Array(await (await query({ sql: `EXPLAIN ${sql}` })).arrayBuffer()),
    )
    t.equal(explained.numRows, 2)
  }
  t.match(
    await failure({ sql: "FROM read_lines('notes/a.lines', first := 1)" }),
    /It is read_lines\(paths, skip = 0, hive_partitioning = NULL, filename = false\)/,
  )
  t.match(await failure({ sql: "FROM 'notes/a.lines'" }), /FROM read_lines\('notes\/a\.lines'\)/)
  t.match(
    await failure({ sql: "FROM read_parquet('notes/a.lines')" }),
    /holds Lines, and was read as Parquet; read it with read_lines or "lines"/,
  )

  const columns = JSON.parse(await text('/api/dataset-schema?file=notes/*.lines'))
  t.same(
    columns.fields.map(({ name }: { name: string }) => name),
    ['number', 'text'],
    'dataset-schema',
  )
  const listed = JSON.parse(await text('/api/list-datasets'))
  t.match(listed, [
    { file_path: 'notes/a.lines', format: 'lines' },
    { file_path: 'notes/b.lines', format: 'lines' },
  ])
  const { components } = JSON.parse(await text('/openapi.json'))
  t.match(components.schemas.LinesFiles.properties, { skip: { type: 'integer', minimum: 0 } }, 'OpenAPI')
  t.match(components.schemas.FromLines, { required: ['lines'] })
  t.ok(JSON.stringify(components.schemas.From).includes('/FromLines"'))
}

async function areArraysRead(t: Test, { url, datasets, rows }: TestService): Promise<void> {
  mkdirSync(join(datasets, 'images'))
  const values = Float32Array.from([0, 1.5, Number.NaN, 3, 4, 5])
  const image = Buffer.concat([Buffer.from('#raster 2 3 K\n'), Buffer.from(values.buffer)])
  writeFileSync(join(datasets, 'images/a.raster'), image)
  const from = { raster: { paths: ['images/a.raster'] } }

  const pixels = await rows({ select: ['value', 'value.units'], from })
  t.same([...(pixels.getChild('value') ?? [])], [0, 1.5, null, 3, 4, 5], 'NaN is null')
  t.same([...new Set(pixels.getChild('value.units') ?? [])], ['K'])
  const kept = await rows({ select: ['value'], from: { raster: { ...from.raster, nan: 'value' } } })
  t.same(kept.getChild('value')?.get(2), Number.NaN, 'with its option')
  for (const sql of [
    "SELECT value FROM read_raster('images/a.raster') WHERE value > 3.5",
    "SELECT value + 0 AS value FROM read_raster('images/a.raster') WHERE value > 3.5",
  ])
    t.same([...((await rows({ sql })).getChild('value') ?? [])], [4, 5], sql)
  const structure = await fetch(`${url}/api/dataset-structure?file=images/a.raster`)
  t.match(await structure.json(), { variables: [{ name: 'value', shape: [2, 3] }] })
}
