import { join } from 'node:path'
import { arrayData } from '../input/array-data.ts'
import { readIntoPageCache } from '../service/page-cache.ts'
import { type Service, withService } from '../service/service.ts'
import type { Figure } from './figure.ts'
import { peakBeyond } from './peer-turns.ts'
import { firstTwo, ratio, timeRatio } from './two-statements.ts'

const CODECS = ['none', 'lz4', 'zstd'] as const

/** The number of entries of the file whose index is used, and how many of them are asked for. */
const ENTRIES = 10_000
const ASKED = 100

/** The same rows in BBF and in Arrow files, by compression, and what an index leaves. Two workers that keep no columns. */
export async function bbf(scratch: string, root: string, rounds: number): Promise<Figure[]> {
  const names = CODECS.flatMap((codec) => [`profiles-${codec}.bbf`, `profiles-${codec}.arrow`] as const)
  readIntoPageCache([...names, 'casts.bbf' as const].map((name) => join(root, arrayData(root, name))))
  const options = { datasetsDir: root, workers: 2, asksAnew: true, keepsColumns: false }
  return await withService({ ...options, dataDir: join(scratch, 'bbf') }, async (service) => {
    const rss = await peakBeyond(service)
    const figures: Figure[] = []
    for (const codec of CODECS) {
      const what = `BBF, 1000 entries × 20 000 rows, 2 of 8 columns, ${codec}, against an Arrow file`
      const [one, other] = [
        two(`read_bbf(['profiles-${codec}.bbf'])`),
        two(`read_arrow(['profiles-${codec}.arrow'])`),
      ]
      figures.push(await ratio(service, `bbf_${codec}`, what, rounds, one, other))
    }
    // A day is an entry, and the numbers of cycles are spread over all groups.
    const days = "time >= TIMESTAMP '2035-01-01' AND time < TIMESTAMP '2035-04-11'"
    const cycles = `cycle >= ${ENTRIES / 2} AND cycle < ${ENTRIES / 2 + ASKED}`
    const what = 'BBF, 10 000 entries × 5000 rows, 1 % left by the index, against all'
    return [
      ...figures,
      await part(service, 'bbf_index', `${what}: in a row`, rounds, days),
      await part(service, 'bbf_scattered', `${what}: scattered`, rounds, cycles),
      rss('bbf', 'BBF'),
    ]
  })
}

function two(source: string): string {
  return `SELECT count(temp) AS n, avg(temp) AS value FROM ${source} WHERE psal >= 34.5`
}

async function part(
  service: Service,
  key: string,
  what: string,
  rounds: number,
  where: string,
): Promise<Figure> {
  const all = "SELECT count(temp) AS n, avg(psal) AS value FROM read_bbf(['casts.bbf'])"
  const left = `${all} WHERE ${where}`
  const [[rows = 0], [allRows = 0]] = [await firstTwo(service, left), await firstTwo(service, all)]
  if (rows * (ENTRIES / ASKED) !== allRows) throw new Error(`${key}: ${rows} of ${allRows} rows`)
  return { key, what, value: await timeRatio(service, rounds * 3, left, all), unit: '×' }
}
