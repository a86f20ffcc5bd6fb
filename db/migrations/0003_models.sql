CREATE TABLE "model_call" (
	"tenant_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"path" text NOT NULL,
	"agent_id" text NOT NULL,
	"provider" text NOT NULL,
	"model" text NOT NULL,
	"response" jsonb NOT NULL,
	"input_tokens" integer NOT NULL,
	"cached_input_tokens" integer NOT NULL,
	"cache_write_tokens" integer NOT NULL,
	"output_tokens" integer NOT NULL,
	"reasoning_tokens" integer NOT NULL,
	"is_estimated" boolean NOT NULL,
	"cost_micros" bigint,
	"currency" text,
	"attempts" integer NOT NULL,
	"first_part_ms" integer,
	"duration_ms" integer NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "model_call_tenant_id_run_id_path_pk" PRIMARY KEY("tenant_id","run_id","path")
);
--> statement-breakpoint
ALTER TABLE "model_call" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "model_provider" (
	"tenant_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"base_url" text,
	"model" text NOT NULL,
	"settings" jsonb NOT NULL,
	"encrypted_key" text,
	"key_id" text,
	"key_hint" text,
	"price" jsonb,
	"is_default" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" uuid,
	"last_test" jsonb,
	"last_test_at" timestamp with time zone,
	CONSTRAINT "model_provider_tenantId_id_unique" UNIQUE("tenant_id","id"),
	CONSTRAINT "model_provider_tenantId_name_unique" UNIQUE("tenant_id","name")
);
--> statement-breakpoint
ALTER TABLE "model_provider" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "model_call" ADD CONSTRAINT "model_call_tenant_id_run_id_run_tenant_id_id_fk" FOREIGN KEY ("tenant_id","run_id") REFERENCES "public"."run"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_provider" ADD CONSTRAINT "model_provider_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "model_call_usage" ON "model_call" USING btree ("tenant_id","started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "model_provider_default" ON "model_provider" USING btree ("tenant_id") WHERE is_default;--> statement-breakpoint
CREATE POLICY "model_call_tenant" ON "model_call" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "model_provider_tenant" ON "model_provider" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));