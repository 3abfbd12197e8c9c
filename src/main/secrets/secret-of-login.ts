import { randomUUID } from 'node:crypto'
import type { NewSecret } from './secrets.ts'

/** A login as a secret under a name that no statement knows. */
export function secretOfLogin(
  type: string,
  values: Readonly<Record<string, string>>,
  isPersistent: boolean,
): NewSecret {
  return {
    name: randomUUID(),
    type,
    scope: null,
    keys: Object.keys(values),
    values: Object.values(values),
    isPersistent,
    keepsExisting: false,
  }
}
