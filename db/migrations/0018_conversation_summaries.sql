CREATE TABLE "conversation_summary" (
	"tenant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"path" text NOT NULL,
	"agent_id" text NOT NULL,
	"through_turn_seq" integer,
	"through_run_id" uuid,
	"summary" text,
	"progress" text,
	"source" text NOT NULL,
	"turns" jsonb NOT NULL,
	"step_count" integer NOT NULL,
	"tokens_before" integer NOT NULL,
	"tokens_after" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "conversation_summary_tenant_id_run_id_path_pk" PRIMARY KEY("tenant_id","run_id","path")
);
--> statement-breakpoint
ALTER TABLE "conversation_summary" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "pinned_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "model_call" ADD COLUMN "scene" text DEFAULT 'answer' NOT NULL;--> statement-breakpoint
ALTER TABLE "model_call" ADD COLUMN "context" jsonb;--> statement-breakpoint
ALTER TABLE "conversation_summary" ADD CONSTRAINT "conversation_summary_tenant_id_session_id_agent_session_tenant_id_id_fk" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."agent_session"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_summary_newest" ON "conversation_summary" USING btree ("tenant_id","session_id","agent_id","through_turn_seq" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "message_pinned" ON "message" USING btree ("tenant_id","session_id") WHERE pinned_at is not null;--> statement-breakpoint
CREATE POLICY "conversation_summary_tenant" ON "conversation_summary" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));