import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { arrayData } from '../input/array-data.ts'
import { type LinePeer, startLinePeer } from '../input/line-peer.ts'
import type { Question } from '../queries/question.ts'
import { median } from '../report/statistics.ts'
import { type Service, withService } from '../service/service.ts'
import type { Figure } from './figure.ts'
import { figuresOfTurns, type Turns, together, turn } from './peer-turns.ts'

/** At most so many rounds: the loop over the files takes ten seconds. */
const ROUNDS = 3

/** What is asked, in this order. A hundredth of the profiles is in the region. */
const ASKED = {
  first: { what: 'count and mean', where: {} },
  compiled: { what: 'the same of another folder, whose files are new', where: {} },
  again: { what: 'again: count and sum of other levels', where: { pres: [1000, 1500] } },
  region: { what: 'then a region with 1 % of them', where: { latitude: [20, 34], longitude: [-50, -14] } },
} as const

/** When the first question is asked once more after a restart. */
const RESTARTED = {
  restarted: 'after a restart: the first question, as soon as the service answers',
  planned:
    'after a restart: the first question, when the service has planned the longest of the last queries',
} as const

const RESTARTS = ['restarted', 'planned'] as const

/** Milliseconds between two looks at the log of a service. */
const LOOK_MS = 20

/**
 * Means over 10 000 profiles, beside a loop over them by netCDF4 for Python. Each round has a service of its own, which has never seen the
 * files and has compiled nothing. Of the same profiles in NetCDF-4 only the first question has a target.
 */
export async function profiles(scratch: string, root: string, rounds: number): Promise<Figure[]> {
  return [
    ...(await ofFolder(scratch, root, Math.min(rounds, ROUNDS), 'profiles', 'NetCDF-3', 'profiles-other')),
    ...(await ofFolder(scratch, root, Math.min(rounds, ROUNDS), 'profiles4', 'NetCDF-4', null)),
  ]
}

async function ofFolder(
  scratch: string,
  root: string,
  rounds: number,
  folder: 'profiles' | 'profiles4',
  format: string,
  other: 'profiles-other' | null,
): Promise<Figure[]> {
  const path = readWhole(root, folder)
  const files = readdirSync(path)
  const netcdf = await startLinePeer('profiles_peer.py', [path])
  const netcdfOfOther =
    other === null ? null : await startLinePeer('profiles_peer.py', [readWhole(root, other)])
  const asked = (['first', 'compiled', 'again', 'region'] as const).filter(
    (key) => other !== null || key !== 'compiled',
  )
  const turns: Record<keyof typeof ASKED, Turns[]> = { first: [], compiled: [], again: [], region: [] }
  const restarts: Record<keyof typeof RESTARTED, number[]> = { restarted: [], planned: [] }
  let peak = 0
  try {
    for (let round = 0; round < rounds; round++) {
      const dataDir = join(scratch, `${folder}-${round}`)
      const options = { dataDir, datasetsDir: root, workers: 2 }
      await withService(options, async (service) => {
        await service.ready()
        for (const key of asked)
          turns[key].push(
            key === 'compiled' && other !== null
              ? await turn(service, netcdfOfOther, question(other, key))
              : await turn(service, netcdf, question(folder, key)),
          )
        peak = Math.max(peak, service.peakBytes())
      })
      for (const key of other === null ? [] : RESTARTS) {
        const { service } = await withService(options, (service) =>
          afterRestart(service, key === 'planned' ? dataDir : null, netcdf, question(folder, 'first')),
        )
        restarts[key].push((service[0] ?? 0) / (turns.first[round]?.service[0] ?? 0))
      }
    }
  } finally {
    netcdf?.close()
    netcdfOfOther?.close()
  }
  const of = `${files.length} profiles in ${format}`
  return [
    ...asked.flatMap((key) =>
      figuresOfTurns(`${folder}_${key}`, `${of}, ${ASKED[key].what}`, netcdf, together(turns[key])),
    ),
    ...RESTARTS.flatMap((key): Figure[] =>
      restarts[key].length === 0
        ? []
        : [
            {
              key: `${folder}_${key}`,
              what: `${of}, ${RESTARTED[key]}, against the first time`,
              value: median(restarts[key]),
              unit: '×',
            },
          ],
    ),
    { key: `${folder}_rss`, what: `most resident during these, ${of}`, value: peak / 1e6, unit: 'MB' },
  ]
}

/** Asks a service that has started again, once the log beside its data folder says that it has planned the last queries. */
async function afterRestart(
  service: Service,
  dataDir: string | null,
  netcdf: LinePeer | null,
  question: Question,
): Promise<Turns> {
  await service.ready()
  while (dataDir !== null && !readFileSync(`${dataDir}.log`, 'utf8').includes('are planned again'))
    await sleep(LOOK_MS)
  return turn(service, netcdf, question)
}

/** The path of a folder, whose files are in the page cache. */
function readWhole(root: string, folder: 'profiles' | 'profiles4' | 'profiles-other'): string {
  const path = join(root, arrayData(root, folder))
  for (const file of readdirSync(path)) readFileSync(join(path, file))
  return path
}

function question(folder: string, key: keyof typeof ASKED): Question {
  const { where } = ASKED[key]
  const conditions = Object.entries(where).map(
    ([column, [from, to]]) => `${column} >= ${from} AND ${column} < ${to}`,
  )
  const aggregate = key === 'again' ? 'sum' : 'avg'
  const filter = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  const sql = `SELECT count(*) AS n, ${aggregate}(temp) AS value FROM read_netcdf(['${folder}/*.nc'])${filter}`
  return { sql, isSum: aggregate === 'sum', request: where }
}
