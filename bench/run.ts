/**
 * `npm run bench`: measures every figure in the README. It runs the queries of the benchmark by this service over HTTP and by
 * native DuckDB in this process, interleaved, after checking that all answers agree, and then measures the single figures.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { version as duckdbVersion } from '@duckdb/node-api'
import { benchCases } from './compare/cases.ts'
import { compare } from './compare/compare.ts'
import { argo } from './figures/argo.ts'
import { arrayFiles } from './figures/array-files.ts'
import { bbf } from './figures/bbf.ts'
import { boxes } from './figures/boxes.ts'
import { catalog } from './figures/catalog.ts'
import { collections } from './figures/collections.ts'
import { crawl } from './figures/crawl/crawl.ts'
import type { Figure, NoFigures } from './figures/figure.ts'
import { FILES } from './figures/files/files.ts'
import { functions } from './figures/functions.ts'
import { mcp } from './figures/mcp.ts'
import { memory } from './figures/memory.ts'
import { months } from './figures/months.ts'
import { names } from './figures/names.ts'
import { odv } from './figures/odv.ts'
import { otherArrays } from './figures/other-arrays.ts'
import { parallel } from './figures/parallel.ts'
import { polygon } from './figures/polygon.ts'
import { profiles } from './figures/profiles.ts'
import { rasters } from './figures/rasters.ts'
import { remotes } from './figures/remotes/remotes.ts'
import { rights } from './figures/rights/rights.ts'
import { science } from './figures/science.ts'
import { slow } from './figures/slow.ts'
import { computedSmall, readySmall } from './figures/small.ts'
import { sst } from './figures/sst.ts'
import { start } from './figures/start.ts'
import { stream } from './figures/stream.ts'
import { tpch } from './figures/tpch.ts'
import { UPLOADS } from './figures/uploads/uploads.ts'
import { year } from './figures/year.ts'
import { zarr } from './figures/zarr.ts'
import { isDefaultSize, isWhole, readFlags, USAGE } from './flags.ts'
import { benchData } from './input/data.ts'
import { startPython } from './input/python.ts'
import { readmeFigures, targetTable } from './report/published.ts'
import { renewFigures } from './report/renew.ts'
import { printReport, type Results } from './report/report.ts'
import { summarise } from './report/summary.ts'
import { judge } from './report/targets.ts'
import { type Service, spawnServices } from './service/service.ts'

const here = import.meta.dirname
const flags = (() => {
  try {
    return readFlags(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    process.exit(2)
  }
})()

// Exits on a signal, because the services are ended by 'exit' handlers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const load = Number((loadavg()[0] ?? 0).toFixed(1))
const data = await benchData(join(here, 'data'), flags)
const scratch = mkdtempSync(join(tmpdir(), 'halocline-bench-'))
const services = await spawnServices(scratch, data.root, flags.profileDir)
const stopAll = () => Promise.all(Object.values(services).map((service: Service) => service.stop()))
const python = await startPython()
try {
  const comparisons = await compare(services, python, benchCases(data, flags), flags)
  const figures: Figure[] = []
  // If one fails, the others are still measured.
  const measure = async (key: string, figure: () => Promise<Figure[] | NoFigures>, group = key) => {
    if (!(flags.only?.has(key) || (flags.only?.has(group) ?? isWhole(flags)))) return
    try {
      const measured = await figure()
      if ('missing' in measured) console.error(`NO FIGURES of ${key}: ${measured.missing}`)
      else figures.push(...measured)
    } catch (error) {
      console.error(`FAILED ${key}:`, error)
      process.exitCode = 1
    }
  }
  await measure('parallel', () => parallel(services, data, flags.rounds))
  await measure('stream', () => stream(services, data, flags.rounds))
  await measure('computed', () => computedSmall(services.keptTwo, data))
  await measure('ready', () => readySmall(services.keptTwo, data))
  await measure('names', () => names(services.keptTwo, data))
  await measure('slow', () => slow(services.keptTwo, data))
  await measure('mcp', () => mcp(services.keptTwo, data))
  await measure('functions_months', () => months(services, python, data, flags.rounds), 'functions')
  await measure('functions', functions)
  await measure('tpch', () => tpch(services, python, data.root, flags.rounds))
  await stopAll()
  await measure('memory', () => memory(scratch, data))
  await measure('catalog', () => catalog(join(scratch, 'catalog'), data))
  await measure('rights', () => rights(scratch, data))
  await measure('sst', () => sst(scratch, data.root, flags.rounds))
  await measure('year', () => year(scratch, data.root, flags.rounds))
  await measure('boxes', () => boxes(scratch, data.root, flags.rounds))
  await measure('polygon', () => polygon(scratch, data.root, flags.rounds))
  await measure('zarr', () => zarr(scratch, data.root, flags.rounds))
  await measure('other_arrays', () => otherArrays(scratch, data.root, flags.rounds))
  await measure('science', () => science(scratch, data.root, flags.rounds))
  await measure('collections', () => collections(scratch, data.root, flags.rounds))
  await measure('profiles', () => profiles(scratch, data.root, flags.rounds))
  await measure('argo', () => argo(scratch, data.root, flags.rounds))
  await measure('array_files', () => arrayFiles(scratch, data.root))
  await measure('odv', () => odv(scratch, data.root, flags.rounds))
  await measure('tiff', () => rasters(scratch, data.root, flags.rounds))
  await measure('bbf', () => bbf(scratch, data.root, flags.rounds))
  for (const [key, figure] of Object.entries(FILES))
    await measure(key, () => figure(scratch, data, flags.rounds), 'files')
  for (const [key, figure] of Object.entries(UPLOADS))
    await measure(key, () => figure(scratch, data, flags.uploadBytes), 'uploads')
  await measure('remotes', () => remotes(scratch, data, flags.rounds))
  await measure('crawl', () => crawl(scratch, flags.crawlFiles))
  await measure('start', () => start(join(scratch, 'start'), data))

  const summaries = summarise(comparisons)
  const verdicts = judge(summaries, figures)
  printReport({ comparisons, summaries, figures, verdicts })
  if (comparisons.some(({ failure }) => failure !== undefined)) process.exitCode = 1
  const folder = join(here, 'results')
  mkdirSync(folder, { recursive: true })
  const date = new Date().toISOString().slice(0, 10)
  if (isWhole(flags)) {
    const { rows, csvBytes, rounds } = flags
    const name = isDefaultSize(flags) ? date : `${date}-${rows}`
    const measured = { summaries, figures, verdicts, comparisons }
    publish({ name, date, machine: machine(), rows, csvBytes, rounds, ...measured }, folder)
  } else if (flags.isRenewing) publish(renewFigures(readLast(folder), figures, date), folder)
  rmSync(scratch, { recursive: true })
} catch (error) {
  console.error(`The logs of the services are in ${scratch}.`)
  throw error
} finally {
  python?.close()
  await stopAll()
}

/** Writes results, and prints what the pages have of them. */
function publish(results: Results, folder: string): void {
  const path = join(folder, `${results.name}.json`)
  writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`)
  console.log(`\n${path}\n\nFor README.md:\n\n${readmeFigures(results)}`)
  console.log(`For docs/reference/performance.md:\n\n${targetTable(results)}`)
}

/** The results of the last whole run of the default size: names of such files are dates. */
function readLast(folder: string): Results {
  const names = readdirSync(folder).filter((name) => /^\d{4}-\d\d-\d\d\.json$/.test(name))
  const last = names.toSorted().at(-1)
  if (last === undefined) throw new TypeError('There are no results whose figures could be renewed.')
  return JSON.parse(readFileSync(join(folder, last), 'utf8')) as Results
}

function machine(): Results['machine'] {
  return {
    cpu: cpus()[0]?.model ?? 'unknown CPU',
    cpus: availableParallelism(),
    node: process.version,
    duckdb: duckdbVersion(),
    python: python?.version ?? null,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: here, encoding: 'utf8' }).trim(),
    load,
  }
}
