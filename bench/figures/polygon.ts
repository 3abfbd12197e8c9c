import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { seeded } from '../input/data.ts'
import { startLinePeer } from '../input/line-peer.ts'
import { PYTHON } from '../input/python.ts'
import type { Question } from '../queries/question.ts'
import { median, timed } from '../report/statistics.ts'
import { withService } from '../service/service.ts'
import type { Figure } from './figure.ts'
import { peerFigures } from './peer-turns.ts'

const FILE = 'polygon.parquet'
const ROWS = 2_500_000
const CORNERS = 100

const SOURCE = `read_parquet('${FILE}')`

/**
 * The mean in a polygon of 100 corners, whose box has nearly all of 2.5 million points, by one worker that has read the columns before, by
 * turns with shapely, which has points and values in memory and the polygon prepared. Beside it the same mean in the polygon's box: what
 * it takes without a test of points.
 */
export async function polygon(scratch: string, root: string, rounds: number): Promise<Figure[]> {
  await makePoints(join(root, FILE))
  const shapely = await startLinePeer('polygon_peer.py', [join(root, FILE)], PYTHON)
  const options = { datasetsDir: root, dataDir: join(scratch, 'polygon'), workers: 1, asksAnew: true }
  try {
    return await withService(options, async (service) => {
      const what = `mean in a polygon of ${CORNERS} corners, ${ROWS / 1e6} M points, 1 worker, columns decoded`
      const figures = await peerFigures(service, shapely, rounds, 'polygon', what, question)
      const boxes: number[] = []
      for (let round = 0; round < rounds; round++)
        boxes.push(await timed(() => service.query({ sql: boxSql(round) })))
      const floor: Figure = {
        key: 'polygon_box',
        what: 'the same mean in a box, by comparisons',
        value: median(boxes),
        unit: 'ms',
      }
      return [...figures, floor]
    })
  } finally {
    shapely?.close()
  }
}

/** Points all over 100° × 100°, in random order. */
async function makePoints(path: string): Promise<void> {
  if (existsSync(path)) return
  const { instance, connection } = await seeded()
  try {
    await connection.run(`
      COPY (SELECT random() * 100 - 70 AS longitude, random() * 100 - 40 AS latitude, (random() * 30)::FLOAT AS temperature
            FROM range(${ROWS}))
      TO '${path}.partial' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 3, ROW_GROUP_SIZE 100000)`)
    renameSync(`${path}.partial`, path)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** Another coast in each round: corners around the middle of the points, at 25 to 50 degrees from it. */
function question(round: number): Question {
  const corners = Array.from({ length: CORNERS }, (_, corner) => {
    const angle = (2 * Math.PI * corner) / CORNERS
    const distance = 37.5 + 12.5 * Math.sin(7 * angle + round) * Math.cos(23 * angle)
    return [-20 + distance * Math.cos(angle), 10 + distance * Math.sin(angle)].map((each) => each.toFixed(6))
  })
  const ring = [...corners, corners[0] ?? []].map((corner) => corner.join(' ')).join(', ')
  const wkt = `POLYGON((${ring}))`
  const sql = `SELECT count(temperature) AS n, avg(temperature) AS mean FROM ${SOURCE}
    WHERE st_within_point('${wkt}', longitude, latitude)`
  return { sql, request: { wkt } }
}

function boxSql(round: number): string {
  const west = -60 - round / 1000
  return `SELECT count(temperature) AS n, avg(temperature) AS mean FROM ${SOURCE}
    WHERE longitude > ${west} AND longitude < 20 AND latitude > -30 AND latitude < 50`
}
