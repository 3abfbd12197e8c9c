/**
 * The harness that every figure in the README comes from: the main benchmark by this service over HTTP and by native
 * DuckDB in this process, interleaved in one run, after a check that all answers agree; then the single figures.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { version as duckdbVersion } from '@duckdb/node-api'
import { compare } from './compare.ts'
import { benchData } from './data.ts'
import { type Figure, firstByte, parallel, start } from './figures.ts'
import { readFlags, USAGE } from './flags.ts'
import { printReport, type Results, readmeFigures, summarise } from './report.ts'
import { spawnService } from './service.ts'

const here = import.meta.dirname
const flags = (() => {
  try {
    return readFlags(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    process.exit(2)
  }
})()
const wanted = (key: string) => flags.only === null || flags.only.has(key)

// So that the services end with this process.
process.once('SIGINT', () => process.exit(130))

const load = Number((loadavg()[0] ?? 0).toFixed(1))
const data = await benchData(join(here, 'data'), flags.rows)
const scratch = mkdtempSync(join(tmpdir(), 'halocline-bench-'))
const spawn = (workers: number) =>
  spawnService({ dataDir: join(scratch, String(workers)), datasetsDir: data.root, workers })
const services = { one: await spawn(1), two: await spawn(2) }
try {
  await Promise.all([services.one.ready(), services.two.ready()])
  const comparisons = await compare(services, data, flags)
  const figures: Figure[] = []
  if (wanted('parallel')) figures.push(...(await parallel(services, data, flags.rounds)))
  if (wanted('first_byte')) figures.push(await firstByte(services.two, data, flags.rounds))
  await Promise.all([services.one.stop(), services.two.stop()])
  if (wanted('start')) figures.push(...(await start(join(scratch, 'start'))))

  const summaries = summarise(comparisons)
  printReport({ comparisons, summaries, figures })
  if (flags.only === null) {
    const date = new Date().toISOString().slice(0, 10)
    const { rows, rounds } = flags
    const results = { date, machine: machine(), rows, rounds, summaries, figures, comparisons }
    const path = join(here, 'results', `${date}.json`)
    mkdirSync(join(here, 'results'), { recursive: true })
    writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`)
    console.log(`\n${path}\n\nFor the README:\n\n${readmeFigures(results)}`)
  }
  rmSync(scratch, { recursive: true })
} catch (error) {
  console.error(`The logs of the services are in ${scratch}.`)
  throw error
} finally {
  await Promise.all([services.one.stop(), services.two.stop()])
}

function machine(): Results['machine'] {
  return {
    cpu: cpus()[0]?.model ?? 'unknown CPU',
    cpus: availableParallelism(),
    node: process.version,
    duckdb: duckdbVersion(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: here, encoding: 'utf8' }).trim(),
    load,
  }
}
