import type { NewSecret, Secrets } from '../../src/main/secrets/secrets.ts'

/** A stored login to another service, with this password. */
export function loginOf(name: string, password: string, isPersistent = true): NewSecret {
  const keys = ['username', 'password']
  return {
    name,
    type: 'service',
    scope: null,
    keys,
    values: ['reader', password],
    isPersistent,
    keepsExisting: false,
  }
}

/** The password of each secret by its name. An error: its code. */
export function passwordsOf(secrets: Secrets): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    secrets.list().map(({ name }) => {
      try {
        return [name, secrets.read(name).values['password']]
      } catch (error) {
        return [name, (error as { readonly code: string }).code]
      }
    }),
  )
}
