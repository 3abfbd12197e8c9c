/**
 * In place of `async-hook-domain`, by which tap gives errors that nobody has caught to the test in which they were thrown: that looks at each
 * promise of the process, which takes a seventh of the CPU time of tests. Here they go to the test that runs, which is the same one where
 * tests run one after the other.
 */

type OnError = (error: unknown, type: string) => void

/** Those of the tests that run. A test is after those around it. */
const domains: Domain[] = []

export class Domain {
  readonly onerror: OnError

  constructor(onerror: OnError) {
    this.onerror = onerror
    domains.push(this)
  }

  destroy(): void {
    const index = domains.lastIndexOf(this)
    if (index >= 0) domains.splice(index, 1)
  }
}

for (const type of ['uncaughtException', 'unhandledRejection'])
  process.on(type, (error: unknown) => {
    const domain = domains.at(-1)
    if (domain !== undefined) domain.onerror(error, type)
    else {
      process.exitCode = 1
      console.error(error)
    }
  })
