// The functions and tables of Citus that `cli distribute` uses, on a plain PostgreSQL. They move no
// row. They record their calls, and refuse what Citus refuses: a table with triggers or foreign
// keys, a table that is distributed already, and a neighbour that is not distributed yet.
import type { Sql } from '../../src/kernel/db/database.ts'

export async function installCitusStub(sql: Sql, workerCount = 2): Promise<void> {
  await sql.unsafe(stub)
  for (let worker = 0; worker <= workerCount; worker += 1) {
    await sql`insert into public.pg_dist_node (groupid, isactive) values (${worker}, true)`
  }
}

export async function listCitusCalls(sql: Sql): Promise<string[]> {
  const rows = await sql<{ call: string }[]>`
    select call
    from public.citus_calls
    order by number`
  return rows.map(({ call }) => call)
}

const stub = `
create table public.pg_dist_node (groupid integer, isactive boolean);
create table public.pg_dist_partition (logicalrelid regclass, partmethod "char", repmodel "char");
create table public.citus_calls (number integer generated always as identity, call text);

create function public.citus_version() returns text
language sql as $$ select 'a stub of Citus' $$;

create function public.refuse_as_citus(placed regclass) returns void
language plpgsql as $$
begin
  if exists (select from public.pg_dist_partition where logicalrelid = placed) then
    raise exception 'table % is already distributed', placed;
  end if;
  if exists (select from pg_trigger where tgrelid = placed and not tgisinternal) then
    raise exception 'cannot distribute relation % because it has triggers', placed;
  end if;
  if exists (select from pg_constraint where contype = 'f' and placed in (conrelid, confrelid)) then
    raise exception 'cannot distribute relation % because it has foreign keys', placed;
  end if;
end $$;

create function public.create_reference_table(placed regclass) returns void
language plpgsql as $$
begin
  perform public.refuse_as_citus(placed);
  insert into public.pg_dist_partition values (placed, 'n', 't');
  insert into public.citus_calls (call) values (format('reference %s', placed));
end $$;

create function public.create_distributed_table(
  placed regclass, by_column text, colocate_with text
) returns void
language plpgsql as $$
begin
  perform public.refuse_as_citus(placed);
  if colocate_with <> 'none' and not exists (
    select from public.pg_dist_partition where logicalrelid = colocate_with::regclass
  ) then
    raise exception 'relation % is not distributed', colocate_with;
  end if;
  insert into public.pg_dist_partition values (placed, 'h', 'c');
  insert into public.citus_calls (call)
  values (format('distribute %s by %s beside %s', placed, by_column, colocate_with));
end $$;

create function public.truncate_local_data_after_distributing_table(placed regclass) returns void
language plpgsql as $$
begin
  if not exists (select from public.pg_dist_partition where logicalrelid = placed) then
    raise exception 'table % is not distributed', placed;
  end if;
end $$;

create function public.run_command_on_workers(command text)
returns table (nodename text, nodeport integer, success boolean, result text)
language plpgsql as $$
begin
  insert into public.citus_calls (call) values (format('on workers: %s', command));
  return query
    select 'worker', 5432, isactive, case when isactive then 'ALTER DATABASE' else 'down' end
    from public.pg_dist_node
    where groupid <> 0;
end $$;
`
