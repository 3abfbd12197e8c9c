/**
 * Measures the walk of crawlers against fast-glob with `stats: true` over the same files, by turns, as ratios of times. That of CPU time holds
 * on a busy machine too, where the walk's thread waits for all others.
 * `node bench/walk.ts [files] [folders]`, 200 000 in 4 000 by default, which are made anew and removed at the end.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastGlob from 'fast-glob'
import { walkFolder } from '../src/main/crawlers/walk/walk-folder.ts'

const ROUNDS = 3
const [files = 200_000, folders = 4000] = process.argv.slice(2).map(Number)
const never = new AbortController().signal
const root = realpathSync(mkdtempSync(join(tmpdir(), 'halocline-walk-')))

try {
  for (let folder = 0; folder < folders; folder++) {
    const path = join(root, String(folder % 40), String(folder))
    mkdirSync(path, { recursive: true })
    for (let file = folder; file < files; file += folders) writeFileSync(join(path, `${file}.nc`), 'CDF')
  }
  const ratios: number[] = []
  const cpuRatios: number[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    const ours = await timed(async () => {
      const request = { root, prefix: '', formats: [], hidden: [] }
      const { groups } = await walkFolder(request, () => undefined, never)
      return groups.reduce((sum, group) => sum + group.files, 0)
    })
    const theirs = await timed(async () => {
      let count = 0
      for await (const _ of fastGlob.stream('**/*', { cwd: root, stats: true, followSymbolicLinks: false }))
        count++
      return count
    })
    if (ours.count !== files || theirs.count !== files) throw new RangeError('not all files were counted')
    ratios.push(ours.seconds / theirs.seconds)
    cpuRatios.push(ours.cpuSeconds / theirs.cpuSeconds)
    console.log(
      `round ${round}: ${ours.seconds.toFixed(2)} s (CPU ${ours.cpuSeconds.toFixed(2)} s), fast-glob ${theirs.seconds.toFixed(2)} s (CPU ${theirs.cpuSeconds.toFixed(2)} s)`,
    )
  }
  console.log(
    `a walk of ${files} files in ${folders} folders: ${median(ratios)} × the time of fast-glob with stats, ${median(cpuRatios)} × its CPU time`,
  )
} finally {
  rmSync(root, { recursive: true })
}

function median(ratios: readonly number[]): string {
  return (ratios.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN).toFixed(2)
}

interface Timed {
  readonly count: number
  readonly seconds: number
  /** Of all threads of the process. */
  readonly cpuSeconds: number
}

async function timed(work: () => Promise<number>): Promise<Timed> {
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  const count = await work()
  const { user, system } = process.cpuUsage(cpu)
  return { count, seconds: (performance.now() - start) / 1000, cpuSeconds: (user + system) / 1e6 }
}
