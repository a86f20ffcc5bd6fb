CREATE TABLE "keyed_call" (
	"tenant_id" uuid NOT NULL,
	"caller" text NOT NULL,
	"key" text NOT NULL,
	"invocation_id" uuid NOT NULL,
	"capability_id" text NOT NULL,
	"arguments_hash" text NOT NULL,
	"state" text NOT NULL,
	"result" jsonb,
	"began_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "keyed_call_tenant_id_caller_key_pk" PRIMARY KEY("tenant_id","caller","key")
);
--> statement-breakpoint
ALTER TABLE "keyed_call" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "keyed_call" ADD CONSTRAINT "keyed_call_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "keyed_call_age" ON "keyed_call" USING btree ("tenant_id","began_at");--> statement-breakpoint
CREATE POLICY "keyed_call_tenant" ON "keyed_call" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));