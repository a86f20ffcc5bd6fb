CREATE TABLE "budget" (
	"tenant_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"user_id" uuid,
	"measure" text NOT NULL,
	"currency" text,
	"period" text NOT NULL,
	"soft_limit" bigint,
	"hard_limit" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" uuid,
	CONSTRAINT "budget_tenantId_id_unique" UNIQUE("tenant_id","id"),
	CONSTRAINT "budget_of_one_kind" UNIQUE NULLS NOT DISTINCT("tenant_id","subject","user_id","measure","currency","period"),
	CONSTRAINT "budget_has_limit" CHECK ("budget"."soft_limit" is not null or "budget"."hard_limit" is not null)
);
--> statement-breakpoint
ALTER TABLE "budget" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "budget_hold" (
	"tenant_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"path" text NOT NULL,
	"budget_id" uuid NOT NULL,
	"subject_id" uuid NOT NULL,
	"period_start" timestamp with time zone NOT NULL,
	"amount" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "budget_hold_tenant_id_run_id_path_budget_id_pk" PRIMARY KEY("tenant_id","run_id","path","budget_id")
);
--> statement-breakpoint
ALTER TABLE "budget_hold" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "budget_use" (
	"tenant_id" uuid NOT NULL,
	"budget_id" uuid NOT NULL,
	"subject_id" uuid NOT NULL,
	"period_start" timestamp with time zone NOT NULL,
	"used" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "budget_use_tenant_id_budget_id_period_start_subject_id_pk" PRIMARY KEY("tenant_id","budget_id","period_start","subject_id")
);
--> statement-breakpoint
ALTER TABLE "budget_use" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "budget" ADD CONSTRAINT "budget_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget" ADD CONSTRAINT "budget_member" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."tenant_member"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_hold" ADD CONSTRAINT "budget_hold_tenant_id_run_id_run_tenant_id_id_fk" FOREIGN KEY ("tenant_id","run_id") REFERENCES "public"."run"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_hold" ADD CONSTRAINT "budget_hold_tenant_id_budget_id_budget_tenant_id_id_fk" FOREIGN KEY ("tenant_id","budget_id") REFERENCES "public"."budget"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_use" ADD CONSTRAINT "budget_use_tenant_id_budget_id_budget_tenant_id_id_fk" FOREIGN KEY ("tenant_id","budget_id") REFERENCES "public"."budget"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "budget_hold_use" ON "budget_hold" USING btree ("tenant_id","budget_id","period_start","subject_id");--> statement-breakpoint
CREATE POLICY "budget_tenant" ON "budget" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "budget_hold_tenant" ON "budget_hold" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "budget_use_tenant" ON "budget_use" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));