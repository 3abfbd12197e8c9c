import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { arrayData } from '../input/array-data.ts'
import { startLinePeer } from '../input/line-peer.ts'
import type { Question } from '../queries/question.ts'
import { withService } from '../service/service.ts'
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
    { key: `${folder}_rss`, what: `most resident during these, ${of}`, value: peak / 1e6, unit: 'MB' },
  ]
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
