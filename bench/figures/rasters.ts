import { join } from 'node:path'
import { arrayData } from '../input/array-data.ts'
import { type LinePeer, startLinePeer } from '../input/line-peer.ts'
import type { Question } from '../queries/question.ts'
import { readIntoPageCache } from '../service/page-cache.ts'
import { withService } from '../service/service.ts'
import type { Figure } from './figure.ts'
import { figuresOfTurns, peakBeyond, peerFigures, type Turns, together, turn } from './peer-turns.ts'

/** Degrees, from edge to edge of pixels. */
type Box = readonly [west: number, south: number, east: number, north: number]

/** The first box and another one, each of which meets ten of the rasters of 0.64° a side from 32°W and 32°N. */
const BOX: Box = [-19.52, 11.84, -16.96, 12.48]
const OTHER_BOX: Box = [0.96, -8, 3.52, -7.36]

/** At most so many rounds: rasterio takes seconds to open ten thousand files. */
const ROUNDS = 3

/** Turns for one round with the window, which takes some milliseconds. Of the first twenty V8 has not compiled the code yet. */
const WINDOW_TURNS = 20

/** A window of 400 x 400 pixels of the large raster. */
const WINDOW: Box = [-10, 46, -6, 50]

const LARGE = [
  ['raster-none.tif', 'none', 'uncompressed'],
  ['raster-zstd.tif', 'zstd', 'zstd, predictor 3'],
  ['raster-deflate.tif', 'deflate', 'Deflate'],
  ['raster-lzw.tif', 'lzw', 'LZW'],
] as const

/**
 * GeoTIFF beside rasterio with two threads: the mean of 4096² pixels by compression, and of a window, by two workers that keep no columns;
 * and of boxes in ten thousand rasters, each round by a service that has never seen them.
 */
export async function rasters(scratch: string, root: string, rounds: number): Promise<Figure[]> {
  readIntoPageCache(LARGE.map(([name]) => join(root, arrayData(root, name))))
  readIntoPageCache([join(root, arrayData(root, 'rasters'))])
  const rasterio = await startLinePeer('rasters_peer.py', [])
  try {
    return [
      ...(await large(scratch, root, rounds, rasterio)),
      ...(await many(scratch, root, Math.min(rounds, ROUNDS), rasterio)),
    ]
  } finally {
    rasterio?.close()
  }
}

async function large(
  scratch: string,
  root: string,
  rounds: number,
  rasterio: LinePeer | null,
): Promise<Figure[]> {
  const options = { datasetsDir: root, workers: 2, asksAnew: true, keepsColumns: false }
  return await withService({ ...options, dataDir: join(scratch, 'rasters') }, async (service) => {
    const rss = await peakBeyond(service)
    const figures: Figure[] = []
    for (const [name, key, title] of LARGE) {
      const asked = question(root, name, name, null)
      const what = `GeoTIFF, 4096² in tiles of 512², ${title}`
      figures.push(...(await peerFigures(service, rasterio, rounds, `tiff_${key}`, what, () => asked)))
    }
    const window = question(root, 'raster-zstd.tif', 'raster-zstd.tif', WINDOW)
    const what = 'GeoTIFF, a window of 400² of it, zstd'
    figures.push(
      ...(await peerFigures(service, rasterio, rounds * WINDOW_TURNS, 'tiff_window', what, () => window)),
    )
    return [...figures, rss('tiff', 'GeoTIFF')]
  })
}

async function many(
  scratch: string,
  root: string,
  rounds: number,
  rasterio: LinePeer | null,
): Promise<Figure[]> {
  const asked = [
    { key: 'tiff_first', what: 'first', box: BOX },
    { key: 'tiff_again', what: 'again', box: BOX },
    { key: 'tiff_other', what: 'then another box', box: OTHER_BOX },
  ]
  const turns: Turns[][] = asked.map(() => [])
  for (let round = 0; round < rounds; round++) {
    const peer = rasterio && answeringOnce(rasterio)
    const dataDir = join(scratch, `rasters-${round}`)
    await withService({ dataDir, datasetsDir: root, workers: 2, asksAnew: true }, async (service) => {
      await service.ready()
      for (const [index, { box }] of asked.entries())
        turns[index]?.push(await turn(service, peer, question(root, 'rasters', 'rasters/*.tif', box)))
    })
  }
  return asked.flatMap(({ key, what }, index) =>
    figuresOfTurns(
      key,
      `10 000 GeoTIFF files, a box that ten meet, ${what}`,
      rasterio,
      together(turns[index] ?? []),
    ),
  )
}

/** A peer that is asked a question once. rasterio keeps nothing, so it takes as long again. */
function answeringOnce(peer: LinePeer): LinePeer {
  const answers = new Map<string, Promise<unknown>>()
  return {
    ...peer,
    ask(request) {
      const key = JSON.stringify(request)
      const answer = answers.get(key) ?? peer.ask(request)
      answers.set(key, answer)
      return answer
    },
  }
}

function question(root: string, name: string, paths: string, box: Box | null): Question {
  const [west, south, east, north] = box ?? []
  const within = `"geo.lon" > ${west} AND "geo.lon" < ${east} AND "geo.lat" > ${south} AND "geo.lat" < ${north}`
  return {
    sql: `SELECT count("band.0") AS n, avg("band.0") AS value FROM read_tiff(['${paths}'])${box === null ? '' : ` WHERE ${within}`}`,
    request: { path: join(root, name), box },
  }
}
