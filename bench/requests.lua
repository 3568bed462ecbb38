-- The requests of wrk. The first argument after `--` chooses the kind: a random payment or page
-- out of as many as the second argument says, or a new link, payout or invoice with a new key.
local kind, total, made = '', 0, 0

function init(arguments)
  kind = arguments[1]
  total = tonumber(arguments[2])
  math.randomseed(os.time() + total)
  run = tostring(math.random(1000000000)) .. tostring(os.time())
end

-- The same ids as in bench/data.ts.
local function paymentId(number)
  return string.format('018f0000-0000-7000-8000-%012d', number)
end

local line = '{"description":"Work by the hour","quantity":2.5,"unit_price":12.5}'
local invoice = '{"contact_id":"018d0000-0000-7000-8000-000000000001","lines":[' ..
  table.concat({ line, line, line, line, line }, ',') .. ']}'

function request()
  if kind == 'payment' then
    return wrk.format('GET', wrk.path .. '/' .. paymentId(math.random(total)))
  end
  if kind == 'page' then
    return wrk.format('GET', wrk.path .. '&starting_after=' .. paymentId(math.random(101, total)))
  end
  made = made + 1
  wrk.headers['Content-Type'] = 'application/json'
  wrk.headers['Idempotency-Key'] = run .. '-' .. made
  if kind == 'payout' then
    return wrk.format('POST', wrk.path, wrk.headers,
      '{"amount":1,"currency":"NGN","destinationType":"service_account"}')
  end
  if kind == 'invoice' then
    return wrk.format('POST', wrk.path, wrk.headers, invoice)
  end
  return wrk.format('POST', wrk.path, wrk.headers,
    '{"title":"Order 1001","currency":"NGN","amount":1250.5}')
end
