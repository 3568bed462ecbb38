// Several servers in one address, `one:5432,two:5432`, as the driver (postgres.js 3.4.9) takes
// them. Where one cannot be reached, or is not of the kind that is wanted (`target_session_attrs`),
// it passes over the error and tries again, but never counts how often: while all of them are down
// it would try without a pause and without an end, and whoever asked would hear nothing. Here each
// is tried once for whoever asks, in the order of the address, and the last one's error is told.
import type { Socket } from 'node:net'

export type Hosts = {
  // Which is to be tried now.
  indexFor(socket: Socket): number
  // Whatever tells the driver of an error of this socket.
  tell<Result>(socket: Socket, act: () => Result): Result
  // It is closed.
  end(socket: Socket): void
}

// A place in the pool, as far as it has come in trying them.
type Place = { failed: number; isPassingOver: boolean }

// For one server there is nothing to choose, and the driver tells of every error.
export const oneHost: Hosts = {
  indexFor: () => 0,
  tell: (_, act) => act(),
  end: () => undefined,
}

// The names are the driver's own list of them.
export function severalHosts(names: readonly string[]): Hosts {
  const count = names.length
  // By what the driver listens to errors with, which is all that tells its places apart.
  const places = new WeakMap<object, Place>()
  let asking: Place | null = null
  let unknown = 0

  function placeOf(socket: Socket): Place {
    const [driver = socket] = socket.listeners('error')
    const place = places.get(driver) ?? { failed: 0, isPassingOver: false }
    places.set(driver, place)
    return place
  }

  // When it hears of an error while a place connects, the driver looks here for whether there is
  // another server to try.
  const [, second] = names
  Object.defineProperty(names, 1, {
    get() {
      if (!asking) return second
      asking.isPassingOver = true
      return asking.failed + 1 < count ? second : undefined
    },
  })

  return {
    indexFor(socket) {
      if (socket.listenerCount('error') > 0) return placeOf(socket).failed
      // A connection that begins with TLS is opened before the driver listens; these take turns.
      unknown += 1
      return (unknown - 1) % count
    },
    tell(socket, act) {
      asking = placeOf(socket)
      try {
        return act()
      } finally {
        asking = null
      }
    },
    // Once a place was connected nobody looks for another server, and the first is the next.
    end(socket) {
      const place = placeOf(socket)
      place.failed = place.isPassingOver ? (place.failed + 1) % count : 0
      place.isPassingOver = false
    },
  }
}
