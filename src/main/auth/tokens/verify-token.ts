import { JOSEError, JWKSNoMatchingKey, JWTClaimValidationFailed } from 'jose/errors'
import { jwtVerify } from 'jose/jwt/verify'
import type { KeySet } from './issuer-keys.ts'

/** What tokens have to say. */
export interface TokenRules {
  readonly issuer: string
  /** Null: any. */
  readonly audience: string | null
  readonly rolesClaim: string
  readonly usernameClaim: string
}

/** Whom a token is for, and until when. */
export interface Identity {
  readonly name: string
  /** Those that the token names, whether or not they exist. Sorted, each once. */
  readonly roles: readonly string[]
  readonly endMs: number
}

/** Why a token is refused. The reason quotes nothing of it. */
export interface Refusal {
  /** `key`: with other keys it may be right. `early`: later it may be right. `never`: with these keys it will not be. */
  readonly refused: 'key' | 'early' | 'never'
  readonly reason: string
}

/** Those whose keys are public. With a secret one, whoever may check tokens could make them, and `none` needs no key at all. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** Verifies a token at a time. */
export async function verifyToken(
  token: string,
  keys: KeySet,
  { issuer, audience, rolesClaim, usernameClaim }: TokenRules,
  nowMs: number,
): Promise<Identity | Refusal> {
  try {
    const { payload } = await jwtVerify(token, keys.find, {
      algorithms: ALGORITHMS,
      issuer,
      ...(audience !== null && { audience }),
      // Otherwise a token without an end would be right for ever.
      requiredClaims: ['exp'],
      currentDate: new Date(nowMs),
    })
    const name = nameIn(claimAt(payload, usernameClaim))
    if (name === null) return { refused: 'never', reason: `the claim ${usernameClaim} has no name` }
    return { name, roles: rolesIn(claimAt(payload, rolesClaim)), endMs: (payload.exp ?? 0) * 1000 }
  } catch (error) {
    return refusalOf(error)
  }
}

/** Errors of jose have the claims of the token, but not in their messages. All others are about the key. */
function refusalOf(error: unknown): Refusal {
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof JWKSNoMatchingKey || !(error instanceof JOSEError)) return { refused: 'key', reason }
  const isEarly = error instanceof JWTClaimValidationFailed && error.claim === 'nbf'
  return { refused: isEarly ? 'early' : 'never', reason }
}

/**
 * The value of a claim: names joined by dots lead through nested objects, such as `realm_access.roles`. If they lead nowhere, a claim of
 * the whole name, since some issuers name claims by addresses: `https://example.org/roles`. Undefined: there is neither.
 */
export function claimAt(claims: unknown, path: string): unknown {
  let value = claims
  for (const name of path.split('.')) value = ownMember(value, name)
  return value ?? ownMember(claims, path)
}

/** Roles as a list of texts, or as words in one text. What is neither names no role. */
export function rolesIn(value: unknown): readonly string[] {
  const names: readonly unknown[] =
    typeof value === 'string' ? value.split(/\s+/) : Array.isArray(value) ? value : []
  return [...new Set(names.filter((name) => typeof name === 'string' && name !== ''))].toSorted() as string[]
}

/** The name of a user. Null: the value is none, such as a text that is empty or that UTF-8 cannot tell from another one. */
export function nameIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.isWellFormed() ? value : null
}

/** No prototype has claims. */
function ownMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
    return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}
