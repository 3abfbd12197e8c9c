import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Question } from '../compare/judge.ts'

/** Different contents that the files have one after the other. */
const VERSIONS = 8

/** The shortest time between two changes. Milliseconds. */
const PAUSE_MS = 250

/** A query over the files, with the text that the service is sent. */
interface ChangingQuestion {
  readonly name: string
  readonly text: string
}

/** A folder below the dataset root whose files are replaced, rewritten in place, added and removed again and again. */
export interface ChangingFiles {
  readonly questions: readonly ChangingQuestion[]
  /** The right answers to a question that was sent and answered at these times of `performance.now`. */
  valid(question: ChangingQuestion, begun: number, ended: number): Question[]
  /** Changes the files until the signal is aborted. Resolves with the number of changes. */
  run(signal: AbortSignal): Promise<number>
  remove(): void
}

/** The contents of the folder, from when the change to them began until the next change had ended. */
interface State {
  /** For each file of the folder, the path of a file with its content. */
  readonly contents: readonly string[]
  readonly from: number
  to: number
}

export async function changingFiles(root: string, scratch: string): Promise<ChangingFiles> {
  const folder = join(root, `changing-${process.pid}`)
  const [first, second] = [join(folder, 'a.parquet'), join(folder, 'b.parquet')]
  mkdirSync(folder)
  const versions = await contents(scratch)
  const version = (number: number) => versions[number % VERSIONS] ?? ''
  copyFileSync(version(0), first)
  const states: State[] = [{ contents: [version(0)], from: performance.now(), to: Number.POSITIVE_INFINITY }]

  const change = (next: readonly string[], apply: () => void) => {
    const from = performance.now()
    const before = states.at(-1)
    states.push({ contents: next, from, to: Number.POSITIVE_INFINITY })
    apply()
    if (before !== undefined) before.to = performance.now()
  }
  const replace = (path: string, by: string) => {
    const next = join(folder, 'next')
    copyFileSync(by, next)
    renameSync(next, path)
  }
  const changes = [
    (next: number) => change([version(next)], () => replace(first, version(next))),
    (next: number) => change([version(next)], () => writeFileSync(first, readFileSync(version(next)))),
    (next: number) =>
      change([...(states.at(-1)?.contents ?? []), version(next)], () => replace(second, version(next))),
    () => change(states.at(-1)?.contents.slice(0, 1) ?? [], () => rmSync(second)),
  ]

  const templates = questionsOf(`${basename(folder)}/*.parquet`)
  return {
    questions: templates,
    valid({ name }, begun, ended) {
      const template = templates.find((each) => each.name === name)
      if (template === undefined) return []
      const possible = states.filter(({ from, to }) => from <= ended && to >= begun)
      return possible.map(({ contents }) => ({
        name: `${name} of ${contents.map((path) => basename(path)).join('+')}`,
        sql: template.sql(`read_parquet([${contents.map((path) => `'${path}'`).join()}])`),
        agreement: 'ordered',
      }))
    },
    async run(signal) {
      let changeCount = 0
      while (!signal.aborted) {
        changes[changeCount % changes.length]?.(changeCount + 1)
        changeCount++
        await sleep(PAUSE_MS + ((changeCount * 37) % PAUSE_MS))
      }
      return changeCount
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Writes files with the contents, which have the same columns. Each row has the number of its content. */
async function contents(scratch: string): Promise<string[]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const paths: string[] = []
  for (let version = 0; version < VERSIONS; version++) {
    const path = join(scratch, `version-${version}.parquet`)
    // Pairs of contents have the same number of rows, and nearly the same number of bytes.
    const rows = 20_000 + (version >> 1) * 1000
    await connection.run(`COPY (SELECT ${version} AS version, i AS id, (i * ${version + 7} % 1000)::DOUBLE AS value,
      'word ' || i % 50 AS word FROM range(${rows}) t(i)) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 4096)`)
    paths.push(path)
  }
  connection.closeSync()
  instance.closeSync()
  return paths
}

function questionsOf(path: string) {
  const table = `read_parquet('${path}')`
  const bySql = (name: string, sql: (table: string) => string) => ({
    name,
    text: JSON.stringify({ sql: sql(table) }),
    sql,
  })
  return [
    bySql('count', (t) => `SELECT count(*) AS n, max(version) AS v, min(id) AS lo, max(id) AS hi FROM ${t}`),
    bySql(
      'groups',
      (t) =>
        `SELECT version, word, count(*) AS n, sum(value) AS s FROM ${t} GROUP BY version, word ORDER BY version, word`,
    ),
    bySql('top', (t) => `SELECT version, id FROM ${t} ORDER BY id DESC, version DESC LIMIT 10`),
    bySql('window', (t) => `SELECT version, count(*) OVER () AS n FROM ${t} ORDER BY version, n LIMIT 1`),
    {
      name: 'filter',
      text: JSON.stringify({
        select: ['version', 'id', 'value'],
        from: { parquet: { paths: [path] } },
        filters: [{ column: 'value', min: 990 }],
      }),
      sql: (t: string) => `SELECT version, id, value FROM ${t} WHERE value >= 990`,
    },
  ]
}
