import { printAddress } from '../../remotes/print-address.ts'
import type { AttachedNames } from './attached.ts'

/** What `system.attached` says: a row for each attached catalog. Its secret is null if it has none, or none with a name. */
export function attachedRows({
  list,
  state,
}: Pick<AttachedNames, 'list' | 'state'>): readonly (readonly (string | boolean | null)[])[] {
  return list().map(({ name, address, secret, ownSecrets, isPersistent }) => {
    const { state: lastState, lastError } = state(name)
    return [
      name,
      address.kind,
      printAddress(address),
      ownSecrets === null ? secret : null,
      isPersistent,
      lastState,
      lastError,
    ]
  })
}
