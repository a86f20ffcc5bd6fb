CREATE TABLE "embedding_call" (
	"tenant_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"model" text NOT NULL,
	"purpose" text NOT NULL,
	"user_id" uuid,
	"text_count" integer NOT NULL,
	"input_tokens" integer NOT NULL,
	"is_estimated" boolean NOT NULL,
	"cost_micros" bigint,
	"currency" text,
	"claims" jsonb NOT NULL,
	"outcome" text NOT NULL,
	"duration_ms" integer,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "embedding_call_tenantId_id_unique" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "embedding_call" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "embedding_space" (
	"tenant_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"provider_id" uuid NOT NULL,
	"model" text NOT NULL,
	"dimensions" integer,
	"price" jsonb,
	"state" text NOT NULL,
	"wanted" integer DEFAULT 1 NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"problem_at" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp with time zone,
	"epoch" integer DEFAULT 0 NOT NULL,
	"leased_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"completed_at" timestamp with time zone,
	CONSTRAINT "embedding_space_tenantId_id_unique" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "embedding_space" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "knowledge_embedding" (
	"tenant_id" uuid NOT NULL,
	"embedding_space_id" uuid NOT NULL,
	"chunk_id" uuid NOT NULL,
	"embedding" real[] NOT NULL,
	CONSTRAINT "knowledge_embedding_tenant_id_embedding_space_id_chunk_id_pk" PRIMARY KEY("tenant_id","embedding_space_id","chunk_id")
);
--> statement-breakpoint
ALTER TABLE "knowledge_embedding" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "embedding_call" ADD CONSTRAINT "embedding_call_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embedding_space" ADD CONSTRAINT "embedding_space_tenant_id_provider_id_model_provider_tenant_id_id_fk" FOREIGN KEY ("tenant_id","provider_id") REFERENCES "public"."model_provider"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_embedding" ADD CONSTRAINT "knowledge_embedding_space" FOREIGN KEY ("tenant_id","embedding_space_id") REFERENCES "public"."embedding_space"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_embedding" ADD CONSTRAINT "knowledge_embedding_chunk" FOREIGN KEY ("tenant_id","chunk_id") REFERENCES "public"."knowledge_chunk"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "embedding_call_usage" ON "embedding_call" USING btree ("tenant_id","started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "embedding_space_state" ON "embedding_space" USING btree ("tenant_id","state");--> statement-breakpoint
CREATE INDEX "embedding_space_due" ON "embedding_space" USING btree ("id") WHERE done < wanted;--> statement-breakpoint
CREATE INDEX "knowledge_embedding_of_chunk" ON "knowledge_embedding" USING btree ("tenant_id","chunk_id");--> statement-breakpoint
CREATE POLICY "embedding_call_tenant" ON "embedding_call" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "embedding_space_tenant" ON "embedding_space" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "knowledge_embedding_tenant" ON "knowledge_embedding" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));