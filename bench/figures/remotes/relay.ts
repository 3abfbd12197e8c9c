import { hash } from 'node:crypto'
import { tableFromIPC } from 'apache-arrow'
import { median, timed } from '../../report/statistics.ts'
import type { Service } from '../../service/service.ts'
import type { Figure } from '../figure.ts'

/**
 * All rows of a table of another service, against those of that service itself, by turns. The floor is 1: whoever relays rows waits for them.
 * Answers of a thousand rows are compared.
 */
export async function relayed(
  here: Service,
  there: Service,
  rows: number,
  rounds: number,
): Promise<Figure[]> {
  const few = async (service: Service): Promise<string> => {
    const sql = 'SELECT * FROM far WHERE "time" < 1577930000 ORDER BY ALL LIMIT 1000'
    return hash('sha256', JSON.stringify(tableFromIPC(await service.query({ sql })).toArray(), ofBigInts))
  }
  if ((await few(here)) !== (await few(there))) throw new Error('the relayed rows are others')
  const ratios: number[] = []
  const times: number[] = []
  const asked: number[] = []
  for (let round = -1; round < rounds; round++) {
    const direct = await timed(() => there.drain({ sql: 'SELECT * FROM far' }))
    const ours = await timed(() => here.drain({ sql: 'SELECT * FROM far' }))
    if (round < 0) continue
    times.push(ours)
    asked.push(direct)
    ratios.push(ours / direct)
  }
  const what = `${rows / 1e6} M rows × 8 columns of another service, relayed`
  return [
    { key: 'remotes_relay_service', what, value: median(times), unit: 'ms' },
    { key: 'remotes_relay_there', what: 'the same asked of that service', value: median(asked), unit: 'ms' },
    { key: 'remotes_relay', what: `${what}, against asking it`, value: median(ratios), unit: '×' },
  ]
}

function ofBigInts(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
