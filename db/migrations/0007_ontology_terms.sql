CREATE TABLE "ontology_term" (
	"tenant_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"term" text NOT NULL,
	"meaning" text NOT NULL,
	"synonyms" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ontology_term_tenantId_id_unique" UNIQUE("tenant_id","id"),
	CONSTRAINT "ontology_term_tenantId_term_unique" UNIQUE("tenant_id","term")
);
--> statement-breakpoint
ALTER TABLE "ontology_term" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "ontology_term" ADD CONSTRAINT "ontology_term_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "ontology_term_tenant" ON "ontology_term" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));