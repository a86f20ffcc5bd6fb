ALTER TABLE "agent_session" ADD COLUMN "is_task" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "run" ADD COLUMN "parent_run_id" uuid;--> statement-breakpoint
ALTER TABLE "run" ADD COLUMN "parent_invocation_id" uuid;--> statement-breakpoint
ALTER TABLE "run" ADD COLUMN "task_index" integer;--> statement-breakpoint
ALTER TABLE "run" ADD COLUMN "root_run_id" uuid;--> statement-breakpoint
ALTER TABLE "run" ADD COLUMN "root_session_id" uuid;--> statement-breakpoint
ALTER TABLE "run" ADD CONSTRAINT "run_tenant_id_parent_run_id_run_tenant_id_id_fk" FOREIGN KEY ("tenant_id","parent_run_id") REFERENCES "public"."run"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "run_task" ON "run" USING btree ("tenant_id","parent_run_id","parent_invocation_id","task_index") WHERE parent_run_id is not null;--> statement-breakpoint
CREATE INDEX "run_waiting" ON "run" USING btree ("tenant_id","session_id","id") WHERE state = 'WAITING';