import { hash, timingSafeEqual } from 'node:crypto'
import type { Credentials } from './basic.ts'

/** The super-user of the configuration. */
export interface SuperUser {
  readonly adminUsername: string
  readonly adminPassword: string
}

/** Whether credentials are those of the super-user. The time that it takes tells nothing about either text. */
export function createSuperUserCheck({
  adminUsername,
  adminPassword,
}: SuperUser): (credentials: Credentials) => boolean {
  const name = digest(adminUsername)
  const password = digest(adminPassword)
  return (credentials) => {
    // Both are always compared, and as digests of equal length.
    const nameIsRight = timingSafeEqual(digest(credentials.username), name)
    const passwordIsRight = timingSafeEqual(digest(credentials.password), password)
    return nameIsRight && passwordIsRight
  }
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
