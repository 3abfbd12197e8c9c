import { type Caller, createCaller } from '../../src/main/auth/caller.ts'
import { createDirectory } from '../../src/main/auth/directory/create-directory.ts'
import { createHashQueue } from '../../src/main/auth/passwords/hash-queue.ts'
import { ANONYMOUS } from '../../src/main/auth/principal.ts'
import { EVERYTHING } from '../../src/main/auth/rights/rights.ts'
import { createRemotes } from '../../src/main/remotes/remotes.ts'
import { createSecrets } from '../../src/main/secrets/create-secrets.ts'
import { attachedInMemory } from '../attach/in-memory.ts'
import { EMPTY_DIRECTORY } from '../support/empty-directory.ts'

/** The caller without credentials of a service whose rules have no effect. */
export const ANYBODY: Caller = createCaller(ANONYMOUS, false, EVERYTHING)

export const SUPER_CALLER: Caller = createCaller(
  { source: 'configuration', name: 'service-admin' },
  true,
  EVERYTHING,
)

/** What statements about users and roles need, where nobody has made any. */
export const ACCOUNTS = Object.freeze({
  config: { adminUsername: 'service-admin', authAnonymousEnabled: true },
  directory: createDirectory(EMPTY_DIRECTORY),
  hashes: createHashQueue(),
  attached: attachedInMemory(),
  remotes: createRemotes({ remoteHosts: [] }),
  secrets: createSecrets({ keys: [], commit: async () => undefined }),
  logins: createSecrets({ keys: [], commit: async () => undefined }),
})
