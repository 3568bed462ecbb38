import { expect, it } from 'vitest'
import { returnAddress, webAddress } from '../../../src/kernel/operations/web-address.ts'

const accepts = (schema: ReturnType<typeof webAddress>, text: string) =>
  schema.safeParse(text).success

it.each(['myapp://return', 'myapp://return?order=7#top', 'com.example.shop:/return', 'MyApp://x'])(
  'payers can return to the app %s, and no page shows an image from it',
  (text) => {
    expect([accepts(returnAddress(), text), accepts(webAddress(), text)]).toEqual([true, false])
  },
)

it.each([
  ...['JavaScript://return', 'data://x', 'vbscript://x', 'file:/etc', 'blob:/x', 'intent://x'],
  ...['myapp:return', 'myapp://', 'myapp://user@return', 'my_app://x', 'myapp://a b', '1a://x'],
  ...['https:/shop.example', 'myapp:///x', 'javascript:alert(1)'],
])('payers cannot return to %s', (text) => {
  expect(accepts(returnAddress(), text)).toBe(false)
})
