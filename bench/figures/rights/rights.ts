import { join } from 'node:path'
import type { BenchData } from '../../input/data.ts'
import type { Figure } from '../figure.ts'
import { asUsers } from './as-users.ts'
import { floods } from './floods.ts'
import { startIssuer } from './issuer.ts'
import { keptUnderRules } from './kept-under-rules.ts'
import { paths } from './paths.ts'

/** What users, tokens and rules cost. */
export async function rights(scratch: string, data: BenchData): Promise<Figure[]> {
  const issuer = await startIssuer()
  try {
    return [
      ...(await asUsers(join(scratch, 'users'), data, issuer)),
      ...(await floods(join(scratch, 'floods'), data)),
      ...(await keptUnderRules(scratch, data)),
      ...(await paths(scratch)),
    ]
  } finally {
    issuer.stop()
  }
}
