import type { Row, Sql } from 'postgres';
import { fromUuid, toUuid } from '#lib/kernel/index.ts';
import type { ApprovalReader, ConsentRuleSource } from '#lib/supervisor/index.ts';
import { inOneRoundTrip, readTogether } from '../pipelined.ts';
import { selectApprovals, toApprovalGrant, toApprovalPolicy, toApprovalView } from './approval-rows.ts';
import { toQuestion } from './run-rows.ts';

const SHOWN = 100;

export function createApprovalReader(sql: Sql): ApprovalReader {
  return {
    async find(scope, id) {
      const [rows] = await inOneRoundTrip(sql, scope, (tx) => [
        tx`${selectApprovals(tx)} where a.tenant_id = ${toUuid(scope.tenantId)} and a.id = ${toUuid(id)}`,
      ]);
      return rows[0] ? toApprovalView(rows[0]) : null;
    },

    async readInbox(scope, { userId, mayDecideForOthers }) {
      const [tenant, person] = [toUuid(scope.tenantId), toUuid(userId)];
      const [approvals, questions] = await readTogether(sql, scope, (tx) => [
        tx`
          select asked.*, s.title as session_title, count(*) over ()::int as all_of_them
          from (${selectApprovals(tx)}
            where a.tenant_id = ${tenant} and a.state = 'OPEN' and a.expires_at > now()
              and case when a.requested_by = ${person} then not a.needs_other else ${mayDecideForOthers} end
          ) as asked join agent_session s on s.tenant_id = asked.tenant_id and s.id = asked.session_id
          order by asked.id limit ${SHOWN}`,
        tx`
          select q.*, r.session_id, s.title as session_title, count(*) over ()::int as all_of_them
          from question q join run r on r.tenant_id = q.tenant_id and r.id = q.run_id
            join agent_session s on s.tenant_id = r.tenant_id and s.id = r.session_id
          where q.tenant_id = ${tenant} and q.state = 'OPEN' and r.user_id = ${person} and r.state = 'WAITING'
          order by q.id limit ${SHOWN}`,
      ]);
      return {
        approvals: approvals.map((row) => ({
          ...toApprovalView(row),
          sessionTitle: String(row.session_title),
          isOwn: String(row.requested_by) === person,
        })),
        questions: questions.map((row) => {
          const { options, ...question } = toQuestion(row);
          return {
            ...question,
            options: [...options],
            sessionId: fromUuid('session', String(row.session_id)),
            sessionTitle: String(row.session_title),
            createdAt: row.created_at.toISOString(),
          };
        }),
        count: countOf(approvals) + countOf(questions),
      };
    },
  };
}

function countOf(rows: readonly Row[]): number {
  return Number(rows[0]?.all_of_them ?? 0);
}

/** What holds for calls that change something, read when they are made: a grant that was revoked counts no more. */
export function createConsentRuleSource(sql: Sql): ConsentRuleSource {
  return {
    async read(scope, { sessionId, capabilityId }) {
      const tenant = toUuid(scope.tenantId);
      const [policies, grants] = await readTogether(sql, scope, (tx) => [
        tx`select capability_id, mode, needs_other from approval_policy where tenant_id = ${tenant} and capability_id = ${capabilityId}`,
        tx`
          select id, capability_version, same_arguments from approval_grant
          where tenant_id = ${tenant} and session_id = ${toUuid(sessionId)} and capability_id = ${capabilityId} and revoked_at is null`,
      ]);
      return { policy: policies[0] ? toApprovalPolicy(policies[0]) : null, grants: grants.map(toApprovalGrant) };
    },
  };
}
