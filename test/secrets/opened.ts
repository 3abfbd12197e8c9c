import type { KeyObject } from 'node:crypto'
import { readConfig } from '../../src/main/settings/config.ts'

/** The keys that a value of `SERVICE_SECRETS_KEY` has. */
export function keysOf(...keys: readonly string[]): readonly KeyObject[] {
  return readConfig({ SERVICE_SECRETS_KEY: keys.join(',') }).config.secretsKey
}
