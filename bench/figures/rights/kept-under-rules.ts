import { join } from 'node:path'
import type { BenchData } from '../../input/data.ts'
import { smallQueries } from '../../queries/small-queries.ts'
import { type Service, spawnService } from '../../service/service.ts'
import type { Figure } from '../figure.ts'
import { byTurns, ratioOf } from './turns.ts'

/** Rules of the role that anonymous callers have, besides that which lets them read the file. */
const OTHER_RULES = 99

/** Kept answers of a service whose rules have effect, against one whose rules have none. */
export async function keptUnderRules(scratch: string, { root, small }: BenchData): Promise<Figure[]> {
  const [query] = smallQueries(small).filter(({ key }) => key === 'groups')
  const body = query?.body('11111111') ?? ''
  const spawn = (name: string, isEnforced: boolean): Promise<Service> =>
    spawnService({
      dataDir: join(scratch, name),
      datasetsDir: root,
      workers: 2,
      env: { SERVICE_AUTH_ENFORCE: String(isEnforced) },
    })
  const services = [await spawn('free', false), await spawn('enforced', true)]
  try {
    for (const service of services) {
      await service.ready()
      await service.command('CREATE ROLE readers')
      await service.command(`GRANT SELECT ON PATH '${small}' TO ROLE readers`)
      for (let rule = 0; rule < OTHER_RULES; rule++)
        await service.command(`DENY SELECT ON PATH 'other/${rule}/**' TO ROLE readers`)
      await service.command('GRANT ROLE readers TO USER anonymous')
    }
    const [free, enforced] = await byTurns(
      body,
      services.map(({ port }) => ({ port })),
    )
    return [
      {
        key: 'rights_kept',
        what: 'kept answers under 100 rules, 64 clients: requests against a service without rules',
        value: ratioOf(enforced, free),
        unit: '×',
      },
    ]
  } finally {
    await Promise.all(services.map((service) => service.stop()))
  }
}
