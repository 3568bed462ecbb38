// Which events an endpoint gets.
export function EventChoice({
  types,
  chosen,
}: {
  types: readonly string[]
  chosen: readonly string[]
}) {
  return (
    <fieldset class="mb-3">
      <legend class="form-label">Events</legend>
      <p class="form-hint">Choose none to get all, also those to come.</p>
      {types.map((type) => (
        <label class="form-check" key={type}>
          <input
            class="form-check-input"
            type="checkbox"
            name="eventTypes"
            value={type}
            checked={chosen.includes(type)}
          />
          <span class="form-check-label">
            <code>{type}</code>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
