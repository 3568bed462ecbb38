import { describe, expect, it, onTestFinished } from 'vitest'
import { connect } from '../../../src/kernel/db/database.ts'
import { describeEndpoints, parseAddress } from '../../../src/kernel/db/database-address.ts'
import { databaseForThisTest } from '../../support/database.ts'

describe('an address', () => {
  it('may name the directory of a Unix socket, as libpq does', () => {
    expect(parseAddress('postgres://a@localhost/b?host=/run/postgresql')).toMatchObject({
      endpoints: [{ host: '/run/postgresql', port: 5432, ssl: false }],
      user: 'a',
      database: 'b',
      settings: {},
    })
    expect(parseAddress('postgres://a@localhost:6000/b?host=%2Fx&sslmode=disable')).toMatchObject({
      endpoints: [{ host: '/x', port: 6000, ssl: false }],
    })
  })

  it('may name the host behind the question mark, which is no directory', () => {
    const address = parseAddress('postgres://a@localhost:6000/b?host=db.example.com')
    expect(address.endpoints).toEqual([{ host: 'db.example.com', port: 6000, ssl: false }])
  })

  it('may name several servers, each with a port or without', () => {
    const address = parseAddress(
      'postgres://a:p%40ss@one,two:6001,[::1]:6002/b?target_session_attrs=primary',
    )
    expect(describeEndpoints(address)).toBe('one:5432,two:6001,::1:6002')
    expect(address).toMatchObject({ password: 'p@ss', targetSessionAttributes: 'primary' })
  })

  it.each([
    ['require', [{ rejectUnauthorized: false }]],
    ['verify-full', [{}]],
    ['verify-ca', [{}]],
    ['prefer', [{ rejectUnauthorized: false }, false]],
    ['disable', [false]],
  ])('says with sslmode=%s how TLS is used', (mode, wanted) => {
    const { endpoints } = parseAddress(`postgres://a@one/b?sslmode=${mode}`)
    expect(endpoints.map(({ ssl }) => ssl)).toEqual(wanted)
  })

  it('may bring settings of the server along', async () => {
    const database = await databaseForThisTest()
    const url = new URL(database.url)
    url.searchParams.set('work_mem', '7MB')
    url.searchParams.set('application_name', 'a name with \\ and spaces')
    const other = connect({ url: url.href, poolSize: 1 })
    onTestFinished(() => other.close())
    const [row] = await other.sql`
      select
        current_setting('work_mem') as memory,
        current_setting('application_name') as name`
    expect(row).toEqual({ memory: '7MB', name: 'a name with \\ and spaces' })
  })
})
