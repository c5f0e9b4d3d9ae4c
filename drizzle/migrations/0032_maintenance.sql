CREATE TABLE "maintenance" (
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"done_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "maintenance_kind_subject_pk" PRIMARY KEY("kind","subject")
);
