import { join } from 'node:path'
import { arrayData } from '../input/array-data.ts'
import { startLinePeer } from '../input/line-peer.ts'
import type { Question } from '../queries/question.ts'
import { readIntoPageCache } from '../service/page-cache.ts'
import { withService } from '../service/service.ts'
import type { Figure } from './figure.ts'
import { peakBeyond, peerFigures } from './peer-turns.ts'
import { ratio } from './two-statements.ts'

/** At most so many rounds over the station of 2 GB. */
const STATION_ROUNDS = 3

const NAMES = [
  'stations.txt',
  'wide.txt',
  'stations.csv',
  'stations.txt.gz',
  'station.txt',
  'station-whole.txt',
] as const

/** The titles of columns, which are their names in CSV. In ODV the units are no part of the name. */
const TITLES = {
  Temperature: 'Temperature [degC]',
  Latitude: 'Latitude [degrees_north]',
  Depth: 'Depth [m]',
  'Other 57': 'Other 57 [1]',
} as const

type Name = keyof typeof TITLES

/**
 * ODV spreadsheets, beside pandas: 1.2 M rows with the metadata of a station in its first row alone, and two of 125 columns. Then by turns
 * with what the service itself does: the same rows in CSV, a station of 2 GB written out, and the first file compressed, which was asked
 * before. Two workers that keep no columns.
 */
export async function odv(scratch: string, root: string, rounds: number): Promise<Figure[]> {
  readIntoPageCache(NAMES.map((name) => join(root, arrayData(root, name))))
  const pandas = await startLinePeer('odv_peer.py', [])
  const options = { datasetsDir: root, workers: 2, asksAnew: true, keepsColumns: false }
  const [once, wide] = [
    question(root, 'stations.txt', 'Latitude', 10),
    question(root, 'wide.txt', 'Other 57', 0),
  ]
  const ofStation = (name: string) => meanOf(`read_odv(['${name}'])`, 'Temperature', 'Latitude', -90)
  try {
    return await withService({ ...options, dataDir: join(scratch, 'odv') }, async (service) => {
      const rss = await peakBeyond(service)
      return [
        ...(await peerFigures(service, pandas, rounds, 'odv_once', ONCE, () => once)),
        ...(await peerFigures(service, pandas, rounds, 'odv_wide', WIDE, () => wide)),
        await ratio(
          service,
          'odv_csv',
          `${ONCE}, against the same rows as CSV`,
          rounds * 3,
          meanOf("read_odv(['stations.txt'])", 'Temperature', 'Depth', 100),
          meanOf("read_csv(['stations.csv'])", TITLES.Temperature, TITLES.Depth, 100),
        ),
        await ratio(
          service,
          'odv_station',
          'ODV, a station of 2 GB, metadata once, against in each row',
          Math.min(rounds, STATION_ROUNDS),
          ofStation('station.txt'),
          ofStation('station-whole.txt'),
        ),
        await ratio(
          service,
          'odv_compressed',
          `${ONCE}, as .gz again against plain`,
          rounds * 3,
          meanOf("read_odv(['stations.txt.gz'])", 'Temperature', 'Latitude', 10),
          once.sql,
        ),
        rss('odv', 'ODV'),
      ]
    })
  } finally {
    pandas?.close()
  }
}

const ONCE = 'ODV, 1.2 M rows × 11, metadata once'
const WIDE = 'ODV, two of 125 columns, 109 MB'

/** The mean of the temperatures in the rows in which a column is at least a number. */
function question(root: string, name: string, by: Name, least: number): Question {
  return {
    sql: meanOf(`read_odv(['${name}'])`, 'Temperature', by, least),
    request: {
      path: join(root, name),
      mean: TITLES.Temperature,
      by: TITLES[by],
      from: least,
      is_carried: by === 'Latitude',
    },
  }
}

function meanOf(source: string, column: string, by: string, least: number): string {
  return `SELECT count("${column}") AS n, avg("${column}") AS value FROM ${source} WHERE "${by}" >= ${least}`
}
