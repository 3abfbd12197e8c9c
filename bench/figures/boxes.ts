import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { arrayData } from '../input/array-data.ts'
import { startLinePeer } from '../input/line-peer.ts'
import { boxQuestion, month, point } from '../queries/box-queries.ts'
import { withService } from '../service/service.ts'
import type { Figure } from './figure.ts'
import { newAndWarmFigures, peak } from './peer-turns.ts'

const POINT = 'NetCDF-4, a point through 365 chunks'

/**
 * Boxes of a year of daily temperatures in NetCDF-4, beside h5py, which has opened the file: a point through 365 chunks and a month in
 * 40° x 30° by a service that keeps nothing, and other points of the same chunks by one that keeps decoded chunks.
 */
export async function boxes(scratch: string, root: string, rounds: number): Promise<Figure[]> {
  const name = arrayData(root, 'sst.nc')
  const source = `read_netcdf(['${name}'])`
  readFileSync(join(root, name))
  const h5py = await startLinePeer('boxes_peer.py', ['h5py', join(root, name)])
  const options = { datasetsDir: root, workers: 2, asksAnew: true }
  try {
    const first = await withService(
      { ...options, dataDir: join(scratch, 'boxes'), keepsColumns: false },
      async (service) => [
        ...(await newAndWarmFigures(service, h5py, rounds, 'boxes_point', POINT, (round) =>
          boxQuestion(source, point(round)),
        )),
        ...(await newAndWarmFigures(
          service,
          h5py,
          rounds * 3,
          'boxes_month',
          'NetCDF-4, a month in 40° × 30°',
          (round) => boxQuestion(source, month(round + 1)),
        )),
        peak('boxes', 'most resident during these, keeping nothing', service),
      ],
    )
    const again = await withService({ ...options, dataDir: join(scratch, 'boxes-kept') }, async (service) => {
      const asked = (round: number) => boxQuestion(source, point(round), round < 0 ? 'avg' : 'sum')
      const what = `${POINT}, again: another aggregate at other points of these chunks`
      return [
        ...(await newAndWarmFigures(service, h5py, rounds, 'boxes_again', what, asked)),
        peak('boxes_kept', 'most resident during these, decoded chunks kept', service),
      ]
    })
    return [...first, ...again]
  } finally {
    h5py?.close()
  }
}
