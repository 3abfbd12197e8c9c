import type { BenchData } from '../../input/data.ts'
import { smallQueries } from '../../queries/small-queries.ts'
import { withService } from '../../service/service.ts'
import type { Figure } from '../figure.ts'
import type { Issuer } from './issuer.ts'
import { byTurns, ratioOf } from './turns.ts'

/** The requests of clients with a user's name and password, and with a token, against those without credentials. Answers are kept. */
export async function asUsers(
  dataDir: string,
  { root, small }: BenchData,
  issuer: Issuer,
): Promise<Figure[]> {
  const [query] = smallQueries(small).filter(({ key }) => key === 'groups')
  const body = query?.body('11111111') ?? ''
  const options = { dataDir, datasetsDir: root, workers: 2, env: issuer.env }
  return withService(options, async (service) => {
    await service.ready()
    await service.command("CREATE USER reader WITH PASSWORD 'reads'")
    const basic = `Basic ${Buffer.from('reader:reads').toString('base64')}`
    const bearer = `Bearer ${await issuer.token('somebody', ['none'])}`
    const { port } = service
    const [anonymous, user, token] = await byTurns(body, [
      { port },
      { port, authorization: basic },
      { port, authorization: bearer },
    ])
    return [
      {
        key: 'rights_user',
        what: '64 clients with a password, kept answers: requests against those without credentials',
        value: ratioOf(user, anonymous),
        unit: '×',
      },
      {
        key: 'rights_token',
        what: '64 clients with a token, likewise',
        value: ratioOf(token, anonymous),
        unit: '×',
      },
    ]
  })
}
