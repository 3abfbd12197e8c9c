import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { arrayData } from '../input/array-data.ts'
import { startLinePeer } from '../input/line-peer.ts'
import { readPlainly } from '../peer/plain-profiles.ts'
import type { Question } from '../queries/question.ts'
import { median } from '../report/statistics.ts'
import { withService } from '../service/service.ts'
import type { Figure } from './figure.ts'
import { figuresOfTurns, type Turns, together, turn } from './peer-turns.ts'

/** What is asked, in this order. `compiled`: of another such folder. */
const ASKED = {
  new: { isOther: false, what: 'count and mean', where: {} },
  compiled: { isOther: true, what: 'the same of another such folder', where: {} },
  again: { isOther: false, what: 'again: the mean of some levels', where: { PRES: [1000, 1500] } },
  region: {
    isOther: false,
    what: 'then a region with 1 % of them',
    where: { LATITUDE: [20, 34], LONGITUDE: [-50, -14] },
  },
} as const

type Stage = keyof typeof ASKED
const STAGES: readonly Stage[] = ['new', 'compiled', 'again', 'region']

/** What numbers are in place of missing ones. */
const FILL = 99_999

/**
 * Means over files like those of Argo, whose headers differ, beside a loop over them by netCDF4 for Python, and the CPU of each thread for a
 * file. Each round has a service of its own, which has never seen the files and has compiled nothing.
 */
export async function argo(scratch: string, root: string, rounds: number): Promise<Figure[]> {
  const folder = join(root, arrayData(root, 'argo'))
  const plain = Array.from({ length: rounds }, () => readPlainly(folder, 'TEMP', FILL))
  return [
    ...(await ofFormat(scratch, root, rounds, 'argo', 'NetCDF-3')),
    ...(await ofFormat(scratch, root, rounds, 'argo4', 'NetCDF-4')),
    {
      key: 'argo_plain',
      what: 'a plain program that reads, parses and sums the files in NetCDF-3, CPU for a file',
      value: (1000 * median(plain.map(({ cpuMs }) => cpuMs))) / readdirSync(folder).length,
      unit: 'µs',
    },
  ]
}

async function ofFormat(
  scratch: string,
  root: string,
  rounds: number,
  key: 'argo' | 'argo4',
  format: string,
): Promise<Figure[]> {
  const folders = [arrayData(root, key), arrayData(root, `${key}-other`)] as const
  const files = folders.map((folder) => readdirSync(join(root, folder)))
  for (const [index, folder] of folders.entries())
    for (const file of files[index] ?? []) readFileSync(join(root, folder, file))
  const [peer, otherPeer] = await Promise.all(
    folders.map((folder) => startLinePeer('argo_peer.py', [join(root, folder)])),
  )
  const turns = new Map<Stage, Turns[]>(STAGES.map((stage) => [stage, []]))
  const cpu = new Map<Stage, number[]>(STAGES.map((stage) => [stage, []]))
  try {
    for (let round = 0; round < rounds; round++) {
      const dataDir = join(scratch, `${key}-${round}`)
      await withService({ dataDir, datasetsDir: root, workers: 2 }, async (service) => {
        await service.ready()
        for (const stage of STAGES) {
          const { isOther } = ASKED[stage]
          const before = service.cpu()
          const asked = question(folders[isOther ? 1 : 0], stage)
          turns.get(stage)?.push(await turn(service, (isOther ? otherPeer : peer) ?? null, asked))
          const after = service.cpu()
          const parts = ['main', 'workers', 'others'] as const
          cpu.get(stage)?.push(parts.reduce((sum, part) => sum + after[part] - before[part], 0))
        }
      })
    }
  } finally {
    peer?.close()
    otherPeer?.close()
  }
  const count = files[0]?.length ?? 0
  return STAGES.flatMap((stage) => {
    const what = `${count} files like Argo's in ${format}, ${ASKED[stage].what}`
    return [
      ...figuresOfTurns(`${key}_${stage}`, what, peer ?? null, together(turns.get(stage) ?? [])),
      {
        key: `${key}_${stage}_cpu`,
        what: `${what}: CPU for a file`,
        value: (1000 * median(cpu.get(stage) ?? [])) / count,
        unit: 'µs',
      } as const,
    ]
  })
}

function question(folder: string, stage: Stage): Question {
  const { where } = ASKED[stage]
  const conditions = Object.entries(where).map(
    ([column, [from, to]]) => `"${column}" >= ${from} AND "${column}" < ${to}`,
  )
  const filter = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  const sql = `SELECT count(*) AS n, avg("TEMP") AS value FROM read_netcdf(['${folder}/*.nc'])${filter}`
  return { sql, request: where }
}
