import { createLru } from '../../../plan/lru.ts'
import { createKeyedDigest } from '../keyed-digest.ts'

/** Pairs of a name and a password that were checked, so that not each request costs a hash. */
export interface RememberedPairs {
  /** By what a pair is found: a digest of its header under a key of this process. Nothing else of the pair is kept. */
  digest(header: string): string
  /** Whose pair it is, if it was right a moment ago. */
  right(digest: string): PairOwner | null
  /** Whether it was right, a moment or longer ago. */
  wasRight(digest: string, stored: string | null): boolean
  /** Whether it was wrong a moment ago, compared with the hash that its user has now. */
  isWrong(digest: string, stored: string | null): boolean
  remember(digest: string, owner: PairOwner, isRight: boolean): void
}

/** The user whom a pair names, and the hash with which it was compared. A user who has another one by now is another user. */
interface PairOwner {
  readonly name: string
  readonly isSuperUser: boolean
  /** Null: of the super-user, and of users that have none or do not exist. */
  readonly stored: string | null
}

export interface RememberedPairsOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number
  readonly mostRight?: number
  readonly mostWrong?: number
}

/** For how long a check holds. Milliseconds. */
const HOLDS_MS = 60_000

/** Some 250 bytes each. */
const MOST_RIGHT = 16_384
const MOST_WRONG = 4096

export function createRememberedPairs({
  now = () => performance.now(),
  mostRight = MOST_RIGHT,
  mostWrong = MOST_WRONG,
}: RememberedPairsOptions = {}): RememberedPairs {
  // Apart, so that no number of wrong ones pushes out a right one.
  const right = createLru<Checked>(mostRight)
  const wrong = createLru<Checked>(mostWrong)

  return {
    digest: createKeyedDigest(),
    right(digest) {
      const checked = right.get(digest)
      return checked !== undefined && checked.until > now() ? checked.owner : null
    },
    wasRight: (digest, stored) => right.get(digest)?.owner.stored === stored,
    isWrong(digest, stored) {
      const checked = wrong.get(digest)
      return checked !== undefined && checked.owner.stored === stored && checked.until > now()
    },
    remember(digest, owner, isRight) {
      const [to, from] = isRight ? [right, wrong] : [wrong, right]
      from.remove(digest)
      to.put(digest, { owner, until: now() + HOLDS_MS })
    },
  }
}

interface Checked {
  readonly owner: PairOwner
  readonly until: number
}
